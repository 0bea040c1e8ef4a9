import { entry } from './documents.ts';

export type Update = {
  /** Bodies of objects, new or changed; null frees the object. */
  readonly objects: Readonly<Record<number, string | null>>;
  /** Objects that only get another offset in the file. */
  readonly moved?: Readonly<Record<number, number>>;
  readonly trailer?: string;
  readonly root?: string;
};

/** Appends an update to a file with a table: objects, their table, a trailer. */
export function appendUpdate(
  file: Buffer,
  { objects, moved = {}, trailer = '', root = '1 0 R' }: Update,
): Buffer {
  let text = '';
  const offsets = new Map<number, number | undefined>();
  for (const [id, body] of Object.entries(objects)) {
    offsets.set(Number(id), body === null ? undefined : file.length + text.length);
    if (body !== null) text += `${id} 0 obj\n${body}\nendobj\n`;
  }
  for (const [id, offset] of Object.entries(moved)) offsets.set(Number(id), offset);
  const at = file.length + text.length;
  const previous = [...file.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
  const size = Math.max(99, ...offsets.keys()) + 1;
  const runs = Array.from(offsets, ([id, offset]) => `${id} 1\n${entry(offset)}`).join('');
  text += `xref\n${runs}trailer\n<</Size ${size}/Root ${root}/Prev ${previous}${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(text, 'latin1')]);
}

/** The newest body of an object. */
export function bodyOf(file: Buffer, id: number): string {
  const found = [
    ...file.toString('latin1').matchAll(new RegExp(`(?:^|\\n)${id} 0 obj\\n(.*?)\\nendobj`, 'gs')),
  ];
  return found.at(-1)?.[1] ?? '';
}

/** Replaces text in the file with other text of the same length. */
export function replaceText(file: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length) throw new Error('The lengths differ.');
  const at = file.lastIndexOf(from, undefined, 'latin1');
  if (at < 0) throw new Error(`The file does not hold ${from}.`);
  const copy = Buffer.from(file);
  copy.write(to, at, 'latin1');
  return copy;
}
