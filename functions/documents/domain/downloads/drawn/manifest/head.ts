import type { PDFPage } from 'pdf-lib';
import type { Manifest } from '../draw-request.ts';
import { drawPanel, drawSeal } from '../shapes.ts';
import { A4, type Fonts, INK, LINE, MARGIN, MUTED, SURFACE, TONES, WAX, WHITE } from '../style.ts';
import { LEADING, toDrawable, truncateLines, widthOf, wrapText } from '../text.ts';

const WIDTH = A4.width - 2 * MARGIN;
const BAND = 72;
const PADDING = 14;
const LABEL_WIDTH = 104;
const MAX_NAME_LINES = 3;
const MAX_FACT_LINES = 6;

/** Draws the document's part of a manifest. Answers where the next part begins. */
export function drawHead(page: PDFPage, manifest: Manifest, fonts: Fonts): number {
  drawBand(page, manifest.status, fonts);
  let y = A4.height - BAND - 22;
  const name = { font: fonts.bold, size: 17 };
  for (const line of truncateLines(wrapText(manifest.name, name, WIDTH), MAX_NAME_LINES)) {
    y -= name.size;
    page.drawText(line, { x: MARGIN, y, ...name, color: INK });
    y -= name.size * (LEADING - 1);
  }
  return drawFacts(page, manifest.facts, y - 12, fonts) - 12;
}

// A seal and a thin line instead of a filled band, which would cost ink in print.
function drawBand(page: PDFPage, status: Manifest['status'], fonts: Fonts): void {
  const bottom = A4.height - BAND;
  const middle = bottom + BAND / 2 - 4;
  page.drawRectangle({ x: 0, y: A4.height - 5, width: A4.width, height: 5, color: WAX });
  drawSeal(page, { x: MARGIN + 15, y: middle }, 15, WAX, WHITE);
  page.drawText('Manifesto de assinaturas', {
    x: MARGIN + 42,
    y: middle - 5,
    size: 15,
    font: fonts.bold,
    color: WAX,
  });
  page.drawLine({
    start: { x: MARGIN, y: bottom },
    end: { x: A4.width - MARGIN, y: bottom },
    thickness: 0.75,
    color: LINE,
  });
  const type = { font: fonts.bold, size: 9 };
  const text = toDrawable(status.text);
  const width = widthOf(text, type) + 22;
  const area = { x: A4.width - MARGIN - width, y: middle - 10, width, height: 20 };
  drawPanel(page, area, { fill: TONES[status.tone].soft, radius: 10 });
  page.drawText(text, { x: area.x + 11, y: area.y + 6.6, ...type, color: TONES[status.tone].strong });
}

function drawFacts(page: PDFPage, facts: Manifest['facts'], top: number, fonts: Fonts): number {
  const rows = facts.map(({ label, value, isCode }) => {
    const type = isCode ? { font: fonts.mono, size: 8.6 } : { font: fonts.regular, size: 9.5 };
    const room = WIDTH - 2 * PADDING - LABEL_WIDTH;
    return { label, type, lines: truncateLines(wrapText(value, type, room), MAX_FACT_LINES) };
  });
  const step = 9.5 * LEADING;
  const height = rows.reduce((sum, { lines }) => sum + lines.length * step + 4, 0) - 4 + 2 * PADDING;
  drawPanel(page, { x: MARGIN, y: top - height, width: WIDTH, height }, { fill: SURFACE, radius: 6 });
  let y = top - PADDING;
  for (const { label, type, lines } of rows) {
    const first = y - 9.5;
    page.drawText(label, { x: MARGIN + PADDING, y: first, size: 8.5, font: fonts.regular, color: MUTED });
    lines.forEach((line, index) => {
      page.drawText(line, {
        x: MARGIN + PADDING + LABEL_WIDTH,
        y: first - index * step,
        ...type,
        color: INK,
      });
    });
    y -= lines.length * step + 4;
  }
  return top - height;
}
