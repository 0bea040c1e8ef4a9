import type { PDFPage } from 'pdf-lib';
import type { Manifest } from '../draw-request.ts';
import { A4, type Fonts, INK, LINE, MARGIN, MUTED } from '../style.ts';
import { toDrawable, truncateLines, widthOf, wrapText } from '../text.ts';

const NAME_POINTS = 9.5;
const SMALL_POINTS = 7.8;
const RIGHT_WIDTH = 110;

/** The height of a file of an envelope: its name and its hash, and a line below them. */
export const PART_HEIGHT = 32;

type NumberedPart = Manifest['parts'][number] & { readonly number: number };

/** Draws a file of an envelope, its upper edge at `top`. Answers where the next one begins. */
export function drawPart(
  page: PDFPage,
  { name, pages, sha256, number }: NumberedPart,
  top: number,
  fonts: Fonts,
): number {
  const type = { font: fonts.bold, size: NAME_POINTS };
  const [shown = ''] = truncateLines(
    wrapText(`${number}. ${name}`, type, A4.width - 2 * MARGIN - RIGHT_WIDTH),
    1,
  );
  page.drawText(shown, { x: MARGIN, y: top - 11, ...type, color: INK });
  const right = { font: fonts.regular, size: NAME_POINTS };
  const counted = toDrawable(pages);
  page.drawText(counted, {
    x: A4.width - MARGIN - widthOf(counted, right),
    y: top - 11,
    ...right,
    color: INK,
  });
  page.drawText(`SHA-256 ${sha256}`, {
    ...{ x: MARGIN, y: top - 22, size: SMALL_POINTS, font: fonts.mono, color: MUTED },
  });
  page.drawLine({
    start: { x: MARGIN, y: top - PART_HEIGHT + 4 },
    end: { x: A4.width - MARGIN, y: top - PART_HEIGHT + 4 },
    thickness: 0.5,
    color: LINE,
  });
  return top - PART_HEIGHT;
}
