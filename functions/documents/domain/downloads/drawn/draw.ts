import { PDFDocument } from 'pdf-lib';
import type { DrawRequest } from './draw-request.ts';
import { drawFooters } from './footers.ts';
import { drawManifest } from './manifest/pages.ts';
import { drawMarkPages, drawPlacedMarks } from './marks.ts';
import { NotDrawable, openOriginal } from './original.ts';
import { fontsFor } from './style.ts';

/** Draws a PDF. Throws NotDrawable where the original cannot be drawn on. */
export async function draw(request: DrawRequest): Promise<Uint8Array> {
  try {
    return await drawUnchecked(request);
  } catch (error) {
    // A hostile or broken file can fail anywhere, and not only where it is opened.
    if (request.kind === 'manifest' || error instanceof NotDrawable) throw error;
    throw new NotDrawable('broken', { cause: error });
  }
}

async function drawUnchecked(request: DrawRequest): Promise<Uint8Array> {
  const pdf = request.kind === 'manifest' ? await PDFDocument.create() : await openOriginal(request.original);
  const fonts = await fontsFor(pdf);
  const pages = request.kind === 'manifest' ? [] : pdf.getPages();
  if (request.kind === 'marked') {
    drawMarkPages(pdf, drawPlacedMarks(pages, request.marks, fonts), fonts);
  }
  if (request.kind === 'printable') {
    const [first = '', ...others] = request.footer;
    const lines = (page: number) => [`${first} · Página ${page} de ${pages.length}`, ...others];
    drawPlacedMarks(pages, request.marks, fonts, drawFooters(pages, lines, fonts));
  }
  if (request.kind !== 'marked') drawManifest(pdf, request.manifest, fonts);
  if (request.kind === 'manifest') {
    pdf.setLanguage('pt-BR');
    pdf.setProducer('Sinete');
    pdf.setCreator('Sinete');
    pdf.setCreationDate(new Date(request.atMs));
  }
  pdf.setTitle(request.title);
  pdf.setModificationDate(new Date(request.atMs));
  return pdf.save({ updateFieldAppearances: false, objectsPerTick: Number.POSITIVE_INFINITY });
}
