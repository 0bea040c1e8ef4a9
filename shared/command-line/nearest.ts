/** Typing errors that still count as the same name, at most. */
const MAX_EDITS = 3;

/**
 * The known name that a mistyped one most likely means, or undefined when none is close. Short names allow fewer edits:
 * otherwise every word would be close to every other.
 * @example nearest('verfy', ['sign', 'verify']) // 'verify'
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const ranked = [...known]
    .map((each) => ({ each, edits: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best && best.edits <= Math.min(MAX_EDITS, Math.ceil(name.length / 3)) ? best.each : undefined;
}

/** ` Did you mean --force?`, or nothing. It follows a sentence. @example didYouMean('--forse', ['--force']) */
export function didYouMean(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** Levenshtein distance: how many letters must be added, removed or replaced to turn one text into the other. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let at = 1; at <= b.length; at++) {
      const replaced = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      here.push(Math.min(replaced, (above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1));
    }
    above = here;
  }
  return above[b.length] ?? 0;
}
