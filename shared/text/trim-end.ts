/**
 * The text without the characters of this kind at its end. Algorithmic complexity attack: `replace(/[.\s]+$/, '')`
 * starts again at each character of a run inside the text, and takes the square of its length.
 * @example trimEnd('contrato. .', /[.\s]/) // 'contrato'
 */
export function trimEnd(text: string, kind: RegExp): string {
  let end = text.length;
  while (end > 0 && kind.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
