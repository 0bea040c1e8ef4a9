import { normalizeText } from '../../../text/normalize.ts';

// The characters of WinAnsi where Latin-1 has control characters.
const SPECIAL = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at));

// Latin letters that the encoding lacks and that Unicode does not decompose into a letter and an accent.
const PLAIN: Readonly<Record<string, string>> = {
  ...{ Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ɖ: 'D', ɖ: 'd', ı: 'i', Ħ: 'H', ħ: 'h', Ŧ: 'T', ŧ: 't' },
  ...{ Ŋ: 'N', ŋ: 'n', ĸ: 'k', ŉ: '’n', ẞ: 'ß', Ə: 'E', ə: 'e', Ɛ: 'E', ɛ: 'e', Ɔ: 'O', ɔ: 'o' },
  ...{ Ɓ: 'B', ɓ: 'b', Ɗ: 'D', ɗ: 'd', Ƙ: 'K', ƙ: 'k', Ƴ: 'Y', ƴ: 'y', Ɨ: 'I', ɨ: 'i', Ʉ: 'U', ʉ: 'u' },
};

/**
 * Encodes text for the standard fonts, one character a byte. A Latin letter outside the encoding is drawn without its
 * accent; a letter of another script becomes a question mark. @example toWinAnsi('João') // 'Jo\xe3o'
 */
export const toWinAnsi = (text: string): string =>
  Array.from(normalizeText(text, 'NFC'), (letter) => encode(letter) ?? encodePlain(letter)).join('');

function encodePlain(letter: string): string {
  const plain = PLAIN[letter] ?? letter.normalize('NFKD').replace(MARKS, '');
  const encoded = Array.from(plain, (each) => encode(each) ?? encode(PLAIN[each] ?? ''));
  return encoded.every((each) => each !== undefined) ? encoded.join('') : '?';
}

const MARKS = /\p{M}+/gu;

function encode(letter: string): string | undefined {
  const code = letter.codePointAt(0);
  if (code === undefined) return undefined;
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return letter;
  if (code < 0xa0) return code < 0x20 ? ' ' : undefined;
  const at = SPECIAL.indexOf(letter);
  return at < 0 ? undefined : String.fromCharCode(0x80 + at);
}

/** A standard font that every reader has. */
export type Face = 'Helvetica' | 'HelveticaBold' | 'HelveticaOblique';

// Adobe's metrics of Helvetica: thousandths of the font size, from the space (32) in WinAnsi order.
const REGULAR = widthsOf(
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 ' +
    '556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 ' +
    '667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 ' +
    '556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 0 ' +
    '556 0 222 556 333 1000 556 556 333 1000 667 333 1000 0 611 0 0 222 222 333 333 350 556 1000 333 ' +
    '1000 500 333 944 0 500 500 278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 ' +
    '584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722 667 ' +
    '667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 ' +
    '556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 ' +
    '556 556 556 556 500 556 500',
);
const BOLD = widthsOf(
  '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 ' +
    '556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 ' +
    '667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 ' +
    '611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584 0 ' +
    '556 0 278 556 500 1000 556 556 333 1000 667 333 1000 0 611 0 0 278 278 500 500 350 556 1000 333 ' +
    '1000 556 333 944 0 500 556 278 333 556 556 556 556 280 556 333 737 370 556 584 333 737 333 400 ' +
    '584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 722 722 722 1000 722 ' +
    '667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 ' +
    '556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 ' +
    '611 611 611 611 611 556 611 556',
);
const WIDTHS: Readonly<Record<Face, readonly number[]>> = {
  Helvetica: REGULAR,
  HelveticaBold: BOLD,
  HelveticaOblique: REGULAR,
};

function widthsOf(numbers: string): number[] {
  return numbers.split(' ').map(Number);
}

/** The width of WinAnsi text in points. @example widthOf('Assinado', 9) */
export function widthOf(winAnsi: string, sizePoints: number, face: Face = 'Helvetica'): number {
  let width = 0;
  for (let at = 0; at < winAnsi.length; at++) width += WIDTHS[face][winAnsi.charCodeAt(at) - 32] ?? 0;
  return (width * sizePoints) / 1000;
}

export type FittedText = { readonly lines: readonly string[]; readonly sizePoints: number };

const MAX_POINTS = 12;
const MIN_POINTS = 3; // smaller text cannot be read; the box clips the rest
const STEP_POINTS = 0.5;

export const LINE_HEIGHT = 1.2;

/** Breaks WinAnsi lines to the width, in the largest font size that fits the height. */
export function fitText(
  lines: readonly string[],
  width: number,
  height: number,
  largest?: number,
): FittedText {
  for (let sizePoints = largest ?? MAX_POINTS; ; sizePoints -= STEP_POINTS) {
    const broken = lines.flatMap((line) => breakLine(line, width, sizePoints));
    const isWide = broken.some((line) => widthOf(line, sizePoints) > width);
    if (sizePoints - STEP_POINTS < MIN_POINTS) return { lines: broken, sizePoints };
    if (!isWide && broken.length * sizePoints * LINE_HEIGHT <= height) return { lines: broken, sizePoints };
  }
}

function breakLine(line: string, width: number, sizePoints: number): string[] {
  const broken: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && widthOf(longer, sizePoints) > width) {
      broken.push(current);
      current = word;
    } else current = longer;
  }
  return [...broken, current];
}
