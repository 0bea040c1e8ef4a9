import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  PDFBool,
  PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFRef,
  PDFString,
} from 'pdf-lib';
import type { PdfValues } from '../../../document/document.ts';
import type { Merged, MergeRequest, NotMerged } from '../draw-request.ts';
import { fillForm, NotFillable } from '../fill.ts';
import { NotDrawable, openOriginal } from '../original.ts';
import { flattenForm } from './flatten.ts';
import { type MovedPart, movePages } from './move-pages.ts';
import { createPdfFile, type PdfFile } from './pdf-file.ts';

/** A part cannot be put into one file with the others. */
export class NotMergeable extends Error {
  override readonly name = 'NotMergeable';
  readonly part: number;
  readonly reason: NotMerged['reason'];

  constructor(part: number, reason: NotMerged['reason'], options?: ErrorOptions) {
    super(`Part ${part} of a file is ${reason} and cannot be merged.`, options);
    this.part = part;
    this.reason = reason;
  }
}

// A reader of the merged file takes as many (original.ts).
const MAX_PAGES = 20_000;

/**
 * Puts several PDFs into one file. One part at a time is in memory, and its objects go to the file before the next is
 * opened: the largest part decides what it takes, and not their number.
 */
export async function merge(request: MergeRequest): Promise<Merged> {
  const file = createPdfFile(request.target);
  try {
    const [root, info, tree] = [file.reserve(), file.reserve(), file.reserve()];
    const moved: MovedPart[] = [];
    const unfilled = new Set(Object.keys(request.fields));
    const digest = createHash('sha256');
    for (const [index, { path }] of request.parts.entries()) {
      const bytes = readFileSync(path);
      digest.update(bytes);
      const count = moved.reduce((sum, { pages }) => sum + pages.length, 0);
      moved.push(
        await mergePart(index, bytes, {
          file,
          tree,
          unfilled,
          fields: request.fields,
          room: MAX_PAGES - count,
        }),
      );
    }
    const [unknown] = unfilled;
    if (unknown !== undefined)
      throw new NotFillable('field', `No PDF of the envelope has a form field "${unknown}".`);
    writeStructure(file, { root, info, tree }, moved, request);
    file.end(root, info, digest.digest('hex').slice(0, 32));
    return { pages: moved.map(({ pages }) => pages.length) };
  } finally {
    file.close();
  }
}

type Merging = {
  readonly file: PdfFile;
  readonly tree: PDFRef;
  readonly fields: PdfValues['fields'];
  readonly unfilled: Set<string>;
  readonly room: number;
};

async function mergePart(index: number, bytes: Uint8Array, merging: Merging): Promise<MovedPart> {
  const { file, tree, fields, unfilled, room } = merging;
  try {
    const pdf = await openOriginal(bytes, 'refuse');
    const refuse = (reason: NotMerged['reason']) => new NotMergeable(index, reason);
    if (pdf.getPageCount() > room) throw refuse('too-long');
    if (hasFiles(pdf)) throw refuse('with-files');
    if (pdf.catalog.lookup(PDFName.of('NeedsRendering')) === PDFBool.True) throw refuse('dynamic');
    fillOwn(pdf, fields, unfilled);
    flattenForm(pdf);
    await pdf.flush(); // The library keeps the fonts that it drew with to itself until then.
    return movePages(pdf, file, tree);
  } catch (error) {
    if (error instanceof NotMergeable || error instanceof NotFillable) throw error;
    // A hostile or broken file can fail anywhere.
    throw new NotMergeable(index, error instanceof NotDrawable ? error.reason : 'broken', { cause: error });
  }
}

/** Files inside of a part belong to the part as a whole, and would be lost in silence. */
function hasFiles({ catalog }: PDFDocument): boolean {
  const names = catalog.lookup(PDFName.of('Names'));
  const embedded = names instanceof PDFDict && names.has(PDFName.of('EmbeddedFiles'));
  return embedded || catalog.has(PDFName.of('AF')) || catalog.has(PDFName.of('Collection'));
}

/** Fills those fields that the form of this part has. */
function fillOwn(pdf: PDFDocument, fields: PdfValues['fields'], unfilled: Set<string>): void {
  if (Object.keys(fields).length === 0) return;
  const form = pdf.getForm();
  const own = Object.entries(fields).filter(([name]) => form.getFieldMaybe(name));
  fillForm(pdf, Object.fromEntries(own));
  for (const [name] of own) unfilled.delete(name);
}

type Refs = { readonly root: PDFRef; readonly info: PDFRef; readonly tree: PDFRef };

/** The catalog, the list of pages, a bookmark for each part, and the description of the file. */
function writeStructure(
  file: PdfFile,
  { root, info, tree }: Refs,
  moved: readonly MovedPart[],
  request: MergeRequest,
): void {
  const context = PDFContext.create();
  const text = (value: string) => PDFHexString.fromText(value);
  const pages = moved.flatMap((part) => part.pages);
  file.write(tree, context.obj({ Type: 'Pages', Count: pages.length, Kids: [...pages] }));

  const outlines = file.reserve();
  const bookmarks = moved.map(() => file.reserve());
  moved.forEach(({ pages: [first] }, index) => {
    const bookmark = context.obj({ Title: text(request.parts[index]?.name ?? ''), Parent: outlines });
    if (first) bookmark.set(PDFName.of('Dest'), context.obj([first, PDFName.of('Fit')]));
    const [previous, next, own] = [bookmarks[index - 1], bookmarks[index + 1], bookmarks[index]];
    if (previous) bookmark.set(PDFName.of('Prev'), previous);
    if (next) bookmark.set(PDFName.of('Next'), next);
    if (own) file.write(own, bookmark);
  });
  const [first, last] = [bookmarks[0], bookmarks.at(-1)];
  if (first && last)
    file.write(
      outlines,
      context.obj({ Type: 'Outlines', First: first, Last: last, Count: bookmarks.length }),
    );

  const information = context.obj({ Title: text(request.title), Producer: text('Sinete') });
  information.set(PDFName.of('CreationDate'), PDFString.fromDate(new Date(request.atMs)));
  for (const [name, value] of Object.entries(request.metadata))
    information.set(PDFName.of(name), text(value));
  file.write(info, information);

  const catalog = context.obj({ Type: 'Catalog', Pages: tree, Outlines: outlines, PageMode: 'UseOutlines' });
  const layers = moved.flatMap((part) => part.layers);
  const hidden = moved.flatMap((part) => part.hiddenLayers);
  if (layers.length > 0)
    catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: layers, D: { OFF: hidden } }));
  file.write(root, catalog);
}
