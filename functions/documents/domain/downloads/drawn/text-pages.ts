import { PDFDocument } from 'pdf-lib';
import type { DrawRequest } from './draw-request.ts';
import { NotFillable, requireShown } from './fill.ts';
import { A4, fontsFor, INK } from './style.ts';
import { wrapText } from './text.ts';

const MARGIN = 64;
const POINTS = 11;
const LINE_HEIGHT = 16;

/** Draws a text on as many pages as it takes. Lines of the text stay lines, and longer ones are wrapped. */
export async function drawTextPages({
  text,
  title,
  atMs,
}: Extract<DrawRequest, { kind: 'text' }>): Promise<Uint8Array> {
  try {
    requireShown(text);
  } catch (error) {
    throw new NotFillable('field', 'The text has letters that the font of the page cannot show.', {
      cause: error,
    });
  }
  const pdf = await PDFDocument.create();
  const { regular } = await fontsFor(pdf);
  const type = { font: regular, size: POINTS };
  let page = pdf.addPage([A4.width, A4.height]);
  let y = A4.height - MARGIN;
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    for (const line of wrapText(paragraph, type, A4.width - 2 * MARGIN)) {
      if (y < MARGIN) {
        page = pdf.addPage([A4.width, A4.height]);
        y = A4.height - MARGIN;
      }
      page.drawText(line, { x: MARGIN, y, ...type, color: INK });
      y -= LINE_HEIGHT;
    }
  }
  pdf.setTitle(title);
  pdf.setProducer('Sinete');
  pdf.setCreator('Sinete');
  pdf.setCreationDate(new Date(atMs));
  pdf.setModificationDate(new Date(atMs));
  return pdf.save({ objectsPerTick: Number.POSITIVE_INFINITY });
}
