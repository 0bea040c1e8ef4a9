import { constants, inflateSync } from 'node:zlib';
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFObjectStreamParser,
  PDFPageTree,
  type PDFRawStream,
  PDFXRefStreamParser,
} from 'pdf-lib';
import { openPdf } from '../../../../../shared/signing/pades/pdf/document.ts';
import { sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { PdfRefused } from '../../../../../shared/signing/pades/refused.ts';

/** Why a file could not be drawn on. */
export type Unreadable = 'encrypted' | 'broken';
export class NotDrawable extends Error {
  override readonly name = 'NotDrawable';
  readonly reason: Unreadable;

  constructor(reason: Unreadable, options?: ErrorOptions) {
    super(`The PDF is ${reason} and cannot be drawn on.`, options);
    this.reason = reason;
  }
}

// Structure is a small part of a file: a few bytes of it that unpack to more than this are made to fill the memory.
const MAX_STRUCTURE_BYTES = 64 * 1024 * 1024;

// More than any document that people sign. Trees that name the same branch again and again have no end.
const MAX_PAGE_NODES = 20_000;

/** Opens a PDF to draw on it. What was signed in it stays to be seen, and no longer claims to be a signature. */
export async function openOriginal(bytes: Uint8Array): Promise<PDFDocument> {
  leftBytes = MAX_STRUCTURE_BYTES;
  try {
    const pdf = await PDFDocument.load(bytes, {
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fastest,
      // A part that cannot be read would silently be missing on paper.
      throwOnInvalidObject: true,
    });
    checkPageTree(pdf);
    forgetSignatures(pdf);
    if (pdf.getPageCount() === 0) throw new NotDrawable('broken');
    return pdf;
  } catch (error) {
    if (error instanceof NotDrawable) throw error;
    throw new NotDrawable(isEncrypted(bytes) ? 'encrypted' : 'broken', { cause: error });
  }
}

// The library meets what it cannot decipher before it asks whether the file is encrypted.
function isEncrypted(bytes: Uint8Array): boolean {
  try {
    openPdf(sourceOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
    return false;
  } catch (error) {
    return error instanceof PdfRefused && error.reason === 'encrypted';
  }
}

// The library unpacks object and cross-reference streams to whatever they give. It looks these two makers up at
// every use, which is where a bound can be put before them.
let leftBytes = 0;
type Maker = { forStream: (stream: PDFRawStream, ...rest: never[]) => unknown };
for (const parser of [PDFObjectStreamParser as Maker, PDFXRefStreamParser as Maker]) {
  const make = parser.forStream;
  parser.forStream = (stream, ...rest) => {
    leftBytes -= unpackedLength(stream, leftBytes);
    return make(stream, ...rest);
  };
}

function unpackedLength({ dict, contents }: PDFRawStream, most: number): number {
  const told = dict.lookup(PDFName.of('Filter'));
  const filter = told instanceof PDFArray && told.size() === 1 ? told.lookup(0) : told;
  if (filter === undefined) return contents.length;
  // Other packings, and several in a row, are never used for structure.
  if (filter !== PDFName.of('FlateDecode')) throw new NotDrawable('broken');
  const limits = { maxOutputLength: Math.max(1, most), finishFlush: constants.Z_SYNC_FLUSH };
  return inflateSync(contents, limits).length;
}

function checkPageTree(pdf: PDFDocument): void {
  let left = MAX_PAGE_NODES;
  const visit = (node: PDFPageTree, depth: number): void => {
    const kids = node.Kids();
    left -= kids.size();
    if (left < 0 || depth > 64) throw new NotDrawable('broken');
    for (let index = 0; index < kids.size(); index++) {
      const kid = kids.lookup(index);
      if (kid instanceof PDFPageTree) visit(kid, depth + 1);
    }
  };
  visit(pdf.catalog.Pages(), 0);
}

/** A copy that is drawn on breaks every signature in it: better none than one that readers call forged. */
function forgetSignatures(pdf: PDFDocument): void {
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    const isSignature = object instanceof PDFDict && object.lookup(PDFName.of('FT')) === PDFName.of('Sig');
    if (isSignature) object.delete(PDFName.of('V'));
  }
  for (const name of ['Perms', 'DSS']) pdf.catalog.delete(PDFName.of(name));
  pdf.catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict)?.delete(PDFName.of('SigFlags'));
}
