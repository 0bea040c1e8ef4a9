import type { PDFPage } from 'pdf-lib';
import type { ManifestEntry, Tone } from '../draw-request.ts';
import { drawPanel, drawSign, type Sign } from '../shapes.ts';
import { A4, type Fonts, INK, LINE, MARGIN, MUTED, TONES, WHITE } from '../style.ts';
import { LEADING, toDrawable, truncateLines, widthOf, wrapText } from '../text.ts';

const WIDTH = A4.width - 2 * MARGIN;
const PADDING = 11;
const SIGN_WIDTH = 28;
// The label and date are at the right, and the name has the rest of the width.
const RIGHT_WIDTH = 162;
const NAME_POINTS = 10.5;
const FACT_POINTS = 8.8;
// A name has at most 200 letters and a reason 512, so this cuts only the list of a large rule's people.
const MAX_LINES = 10;

const SIGNS: Readonly<Record<Tone, Sign>> = {
  done: 'check',
  waiting: 'clock',
  later: 'dots',
  ended: 'cross',
};

/** The height of an entry. */
export const entryHeight = (entry: ManifestEntry, fonts: Fonts): number => {
  const { name, facts } = layout(entry, fonts);
  const left = name.length * NAME_POINTS * LEADING + facts.length * FACT_POINTS * LEADING;
  const right = FACT_POINTS * LEADING * 2;
  return Math.max(left, right) + 2 * PADDING;
};

/** Draws one person's part, its upper edge at `top`. */
export function drawEntry(page: PDFPage, entry: ManifestEntry, top: number, fonts: Fonts): void {
  const height = entryHeight(entry, fonts);
  const { name, facts } = layout(entry, fonts);
  const { strong, soft } = TONES[entry.tone];
  const colors = { back: soft, line: strong };
  drawPanel(
    page,
    { x: MARGIN, y: top - height, width: WIDTH, height },
    { fill: WHITE, border: LINE, radius: 5 },
  );
  drawSign(page, SIGNS[entry.tone], { x: MARGIN + PADDING + 8, y: top - PADDING - 8 }, colors);

  const x = MARGIN + PADDING + SIGN_WIDTH;
  let y = top - PADDING + NAME_POINTS * (LEADING - 1);
  for (const line of name) {
    y -= NAME_POINTS * LEADING;
    page.drawText(line, { x, y, size: NAME_POINTS, font: fonts.bold, color: INK });
  }
  y -= 1;
  for (const line of facts) {
    y -= FACT_POINTS * LEADING;
    page.drawText(line, { x, y, size: FACT_POINTS, font: fonts.regular, color: MUTED });
  }
  drawRight(page, entry, top - PADDING, fonts);
}

function drawRight(page: PDFPage, entry: ManifestEntry, top: number, fonts: Fonts): void {
  const right = MARGIN + WIDTH - PADDING;
  const lines = [
    { text: toDrawable(entry.label), font: fonts.bold, color: TONES[entry.tone].strong },
    ...(entry.date ? [{ text: toDrawable(entry.date), font: fonts.regular, color: INK }] : []),
  ];
  let y = top + FACT_POINTS * (LEADING - 1) - 1;
  for (const { text, font, color } of lines) {
    y -= FACT_POINTS * LEADING;
    const x = right - widthOf(text, { font, size: FACT_POINTS });
    page.drawText(text, { x, y, size: FACT_POINTS, font, color });
  }
}

function layout(entry: ManifestEntry, fonts: Fonts) {
  const room = WIDTH - 2 * PADDING - SIGN_WIDTH - RIGHT_WIDTH;
  const name = { font: fonts.bold, size: NAME_POINTS };
  const fact = { font: fonts.regular, size: FACT_POINTS };
  return {
    name: truncateLines(wrapText(entry.name, name, room), MAX_LINES),
    facts: entry.facts.flatMap((text) => truncateLines(wrapText(text, fact, room), MAX_LINES)),
  };
}
