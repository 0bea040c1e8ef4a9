import type { PDFFont } from 'pdf-lib';
import { toWinAnsi } from '../../../../../shared/signing/pades/appearance/text.ts';

// Letters of names that no accent makes, and that the fonts lack.
const BARE: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i', Ħ: 'H', ħ: 'h' };

/** Text that the standard fonts can show: a letter they lack loses its accent, or becomes a question mark. */
export const drawable = (text: string): string =>
  new TextDecoder('windows-1252').decode(
    Buffer.from(toWinAnsi(text.replace(/[ŁłĐđıĦħ]/g, (letter) => BARE[letter] ?? letter)), 'latin1'),
  );

export type Type = { readonly font: PDFFont; readonly size: number };

export const widthOf = (text: string, { font, size }: Type): number => font.widthOfTextAtSize(text, size);

/** Drawable text in lines of at most this width. A word that is wider by itself, such as a long file name, is cut. */
export function wrapped(text: string, type: Type, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of drawable(text).trim().split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, type) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = cut(word, type, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return [...lines, line];
}

function cut(word: string, type: Type, width: number): string[] {
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

/** At most so many lines; the last one then shows that there was more. */
export function shortened(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1]}…`];
}

/** The largest size up to `largest` at which every line is within the width, and all of them within the height. */
export function fittingSize(
  lines: readonly string[],
  font: PDFFont,
  box: { readonly width: number; readonly height: number },
  largest: number,
): number {
  const widest = Math.max(...lines.map((line) => font.widthOfTextAtSize(line, 1)));
  return Math.min(largest, box.width / Math.max(widest, 1), box.height / (lines.length * LEADING));
}

/** From one base line to the next, in sizes of the type. */
export const LEADING = 1.3;
