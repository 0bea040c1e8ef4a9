import { widthOf } from './helvetica.ts';

export type FittedText = { readonly lines: readonly string[]; readonly sizePoints: number };

const MAX_POINTS = 12;
const MIN_POINTS = 3; // below this nothing can be read, and what does not fit is cut off by the box
const STEP_POINTS = 0.5;

export const LINE_HEIGHT = 1.2;

/** Breaks WinAnsi lines to the width, in the largest size at which all of them fit in the height. */
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
