import type { PDFFont } from 'pdf-lib';
import { toWinAnsi } from '../../../../../shared/signing/pades/appearance/text.ts';

/** Text that the standard fonts can show. A letter they lack loses its accent, or becomes a question mark. */
export const toDrawable = (text: string): string =>
  new TextDecoder('windows-1252').decode(Buffer.from(toWinAnsi(text), 'latin1'));

export type TextStyle = { readonly font: PDFFont; readonly size: number };

export const widthOf = (text: string, { font, size }: TextStyle): number =>
  font.widthOfTextAtSize(text, size);

/** Splits a text into drawable lines of at most this width. A wider word, such as a long file name, is cut. */
export function wrapText(text: string, type: TextStyle, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of toDrawable(text).trim().split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, type) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = splitWord(word, type, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return [...lines, line];
}

function splitWord(word: string, type: TextStyle, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const letter of word) {
    if (piece !== '' && widthOf(piece + letter, type) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += letter;
  }
  return [...pieces, piece];
}

/** Limits the number of lines. The last one ends with an ellipsis where some were cut. */
export function truncateLines(lines: readonly string[], maxLines: number): readonly string[] {
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1]}…`];
}

/** The largest size up to `largest` at which every line fits the width, and all of them the height. */
export function fittingSize(
  lines: readonly string[],
  font: PDFFont,
  box: { readonly width: number; readonly height: number },
  largest: number,
): number {
  const widest = Math.max(...lines.map((line) => font.widthOfTextAtSize(line, 1)));
  return Math.min(largest, box.width / Math.max(widest, 1), box.height / (lines.length * LEADING));
}

/** The distance of two base lines, as a multiple of the font size. */
export const LEADING = 1.3;
