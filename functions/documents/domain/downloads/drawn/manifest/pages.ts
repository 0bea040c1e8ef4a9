import type { PDFDocument, PDFPage } from 'pdf-lib';
import type { Manifest } from '../draw-request.ts';
import { drawSeal } from '../shapes.ts';
import { A4, type Fonts, INK, LINE, MARGIN, MUTED, WAX, WHITE } from '../style.ts';
import { LEADING, toDrawable, truncateLines, widthOf, wrapText } from '../text.ts';
import { drawEntry, entryHeight } from './entry.ts';
import { drawHead } from './head.ts';
import { drawVerification } from './verification.ts';

const FOOT = 62;
const GAP = 8;
const TITLE_HEIGHT = 26;

// A file of an envelope: its name and its number of pages, its hash, and a line below them.
const PART_HEIGHT = 32;
const PART_POINTS = 9.5;
const HASH_POINTS = 7.8;
const RIGHT_WIDTH = 110;

/** Adds the pages of a manifest after the existing ones. */
export function drawManifest(pdf: PDFDocument, manifest: Manifest, fonts: Fonts): void {
  const pages: PDFPage[] = [];
  const addPage = (): PDFPage => {
    const page = pdf.addPage([A4.width, A4.height]);
    pages.push(page);
    return page;
  };
  let page = addPage();
  let y = drawHead(page, manifest, fonts);
  y = drawVerification(page, manifest.verification, y, fonts);
  y = drawNote(page, manifest.note, y, fonts);
  for (const [index, part] of manifest.parts.entries()) {
    if (y - PART_HEIGHT - TITLE_HEIGHT < FOOT) {
      page = addPage();
      y = drawTitle(page, 'Arquivos do envelope (continuação)', A4.height - MARGIN, fonts);
    } else if (index === 0) y = drawTitle(page, 'Arquivos do envelope', y, fonts);
    y = drawPart(page, { ...part, number: index + 1 }, y, fonts);
  }
  if (manifest.parts.length > 0) y -= GAP;
  const [first] = manifest.entries;
  if (manifest.parts.length > 0 && first && y - TITLE_HEIGHT - entryHeight(first, fonts) < FOOT) {
    page = addPage();
    y = A4.height - MARGIN;
  }
  y = drawTitle(page, 'Assinaturas e aprovações', y, fonts);
  for (const entry of manifest.entries) {
    const height = entryHeight(entry, fonts);
    if (y - height < FOOT) {
      page = addPage();
      y = drawTitle(page, 'Assinaturas e aprovações (continuação)', A4.height - MARGIN, fonts);
    }
    drawEntry(page, entry, y, fonts);
    y -= height + GAP;
  }
  if (y < FOOT + 40) {
    page = addPage();
    y = A4.height - MARGIN;
  }
  drawClosing(page, manifest.closing, y, fonts);
  pages.forEach((each, index) => {
    drawFoot(each, manifest, `${index + 1} de ${pages.length}`, fonts);
  });
}

function drawNote(page: PDFPage, note: string | null, y: number, { regular }: Fonts): number {
  if (note === null) return y;
  const type = { font: regular, size: 9.5 };
  let at = y;
  for (const line of wrapText(note, type, A4.width - 2 * MARGIN)) {
    at -= type.size * LEADING;
    page.drawText(line, { x: MARGIN, y: at, ...type, color: WAX });
  }
  return at - 14;
}

function drawTitle(page: PDFPage, title: string, y: number, { bold }: Fonts): number {
  page.drawText(title, { x: MARGIN, y: y - 13, size: 12, font: bold, color: INK });
  return y - TITLE_HEIGHT;
}

function drawClosing(page: PDFPage, closing: string, y: number, { regular }: Fonts): void {
  const type = { font: regular, size: 8.5 };
  wrapText(closing, type, A4.width - 2 * MARGIN).forEach((line, index) => {
    page.drawText(line, { x: MARGIN, y: y - 14 - index * type.size * LEADING, ...type, color: MUTED });
  });
}

function drawFoot(page: PDFPage, { facts }: Manifest, number: string, { regular }: Fonts): void {
  const y = 34;
  page.drawLine({
    start: { x: MARGIN, y: y + 14 },
    end: { x: A4.width - MARGIN, y: y + 14 },
    thickness: 0.5,
    color: LINE,
  });
  drawSeal(page, { x: MARGIN + 5, y: y + 2.5 }, 5, WAX, WHITE);
  const text = { size: 7.5, font: regular, color: MUTED };
  page.drawText(toDrawable(`Sinete · Manifesto de assinaturas · Documento ${facts[0]?.value ?? ''}`), {
    x: MARGIN + 15,
    y,
    ...text,
  });
  const counted = `Página ${number}`;
  page.drawText(counted, { x: A4.width - MARGIN - regular.widthOfTextAtSize(counted, 7.5), y, ...text });
}

type NumberedPart = Manifest['parts'][number] & { readonly number: number };

/** Draws a file of an envelope, its upper edge at `top`. Answers where the next one begins. */
function drawPart(
  page: PDFPage,
  { name, pages, sha256, number }: NumberedPart,
  top: number,
  fonts: Fonts,
): number {
  const type = { font: fonts.bold, size: PART_POINTS };
  const [shown = ''] = truncateLines(
    wrapText(`${number}. ${name}`, type, A4.width - 2 * MARGIN - RIGHT_WIDTH),
    1,
  );
  page.drawText(shown, { x: MARGIN, y: top - 11, ...type, color: INK });
  const right = { font: fonts.regular, size: PART_POINTS };
  const counted = toDrawable(pages);
  page.drawText(counted, {
    x: A4.width - MARGIN - widthOf(counted, right),
    y: top - 11,
    ...right,
    color: INK,
  });
  page.drawText(`SHA-256 ${sha256}`, {
    ...{ x: MARGIN, y: top - 22, size: HASH_POINTS, font: fonts.mono, color: MUTED },
  });
  page.drawLine({
    start: { x: MARGIN, y: top - PART_HEIGHT + 4 },
    end: { x: A4.width - MARGIN, y: top - PART_HEIGHT + 4 },
    thickness: 0.5,
    color: LINE,
  });
  return top - PART_HEIGHT;
}
