const MAX_LETTERS = 24;
const SLOTS = 2048; // a document uses a few hundred names

// The same names stand in every object: making each once spares most of the memory and time that they take.
const known: string[] = new Array(SLOTS).fill('');

/** The text from `start` to `end`, a letter a byte. */
export function textAt(bytes: Buffer, start: number, end: number): string {
  if (end - start > MAX_LETTERS) return bytes.toString('latin1', start, end);
  let place = end - start;
  for (let at = start; at < end; at++) place = (place * 31 + (bytes[at] ?? 0)) % SLOTS;
  const text = known[place] ?? '';
  if (matchesAt(text, bytes, start, end)) return text;
  const made = bytes.toString('latin1', start, end);
  known[place] = made;
  return made;
}

/** Whether this text is what stands there, without making a text of it. */
export function matchesAt(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
