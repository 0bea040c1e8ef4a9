import { PDFDocument } from 'pdf-lib';
import type { Manifest } from '../manifest.ts';
import { drawFooters } from './footers.ts';
import { drawManifest } from './manifest/pages.ts';
import { type DrawnMark, drawMarkPages, drawPlacedMarks } from './marks.ts';
import { NotDrawable, openOriginal } from './original.ts';
import { fontsFor } from './style.ts';

/** What is to be drawn, as plain data that another thread can be given. */
export type DrawRequest = { readonly title: string; readonly atMs: number } & (
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'marked'; readonly original: Uint8Array; readonly marks: readonly DrawnMark[] }
  | {
      readonly kind: 'printable';
      readonly original: Uint8Array;
      readonly marks: readonly DrawnMark[];
      readonly manifest: Manifest;
      readonly footer: readonly string[];
    }
);

/** Draws a PDF. Throws NotDrawable where the original is one that cannot be drawn on. */
export async function draw(order: DrawRequest): Promise<Uint8Array> {
  try {
    return await drawUnchecked(order);
  } catch (error) {
    // A file can be wrong in any place that is looked at, and not only where it is opened.
    if (order.kind === 'manifest' || error instanceof NotDrawable) throw error;
    throw new NotDrawable('broken', { cause: error });
  }
}

async function drawUnchecked(order: DrawRequest): Promise<Uint8Array> {
  const pdf = order.kind === 'manifest' ? await PDFDocument.create() : await openOriginal(order.original);
  const fonts = await fontsFor(pdf);
  const pages = order.kind === 'manifest' ? [] : pdf.getPages();
  if (order.kind === 'marked') {
    drawMarkPages(pdf, drawPlacedMarks(pages, order.marks, fonts), fonts);
  }
  if (order.kind === 'printable') {
    const [first = '', ...others] = order.footer;
    const lines = (page: number) => [`${first} · Página ${page} de ${pages.length}`, ...others];
    drawPlacedMarks(pages, order.marks, fonts, drawFooters(pages, lines, fonts));
  }
  if (order.kind !== 'marked') drawManifest(pdf, order.manifest, fonts);
  if (order.kind === 'manifest') {
    pdf.setLanguage('pt-BR');
    pdf.setProducer('Sinete');
    pdf.setCreator('Sinete');
    pdf.setCreationDate(new Date(order.atMs));
  }
  pdf.setTitle(order.title);
  pdf.setModificationDate(new Date(order.atMs));
  return pdf.save({ updateFieldAppearances: false, objectsPerTick: Number.POSITIVE_INFINITY });
}
