import { constants, inflateSync } from 'node:zlib';
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFPageTree,
  PDFParser,
  PDFRawStream,
  type PDFRef,
} from 'pdf-lib';
import { openPdf } from '../../../../../shared/signing/pades/pdf/document.ts';
import { sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { PdfRefused } from '../../../../../shared/signing/pades/refused.ts';

/** Why a file could not be drawn on. */
export type Unreadable = 'encrypted' | 'broken' | 'signed';
export class NotDrawable extends Error {
  override readonly name = 'NotDrawable';
  readonly reason: Unreadable;

  constructor(reason: Unreadable, options?: ErrorOptions) {
    super(`The PDF is ${reason} and cannot be drawn on.`, options);
    this.reason = reason;
  }
}

// Decompression bomb: structure is a small part of a file, and a few bytes of it can unpack to gigabytes.
const MAX_STRUCTURE_BYTES = 64 * 1024 * 1024;

// Far more than XMP takes. On paper nobody sees it.
const MAX_METADATA_BYTES = 1024 * 1024;

// More than any document that people sign. Trees that name the same branch again and again have no end.
const MAX_PAGE_NODES = 20_000;

/**
 * Opens a PDF to draw on it. What was signed in it stays to be seen, and no longer claims to be a signature, unless a
 * signed file is refused.
 */
export async function openOriginal(
  bytes: Uint8Array,
  signatures: 'forget' | 'refuse' = 'forget',
): Promise<PDFDocument> {
  try {
    await checkStructure(bytes);
    const pdf = await PDFDocument.load(bytes, {
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fastest,
      // A part that cannot be read would silently be missing on paper.
      throwOnInvalidObject: true,
    });
    checkPageTree(pdf);
    if (signatures === 'refuse' && isSigned(pdf)) throw new NotDrawable('signed');
    forgetSignatures(pdf);
    forgetLargeMetadata(pdf);
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

// The library unpacks object and cross-reference streams whole, and their bytes are outside of the thread's heap limit.
// Its own parser reads the file once before: any other reader could take another part of the file for structure.
async function checkStructure(bytes: Uint8Array): Promise<void> {
  await new BoundedParser(bytes, ParseSpeeds.Fastest, true).parseDocument();
}

class BoundedParser extends PDFParser {
  private leftBytes = MAX_STRUCTURE_BYTES;

  /** The parser unpacks a stream right after this, and takes an error for an invalid object. */
  override parseObject(ref?: PDFRef): PDFObject {
    const object = super.parseObject(ref);
    if (object instanceof PDFRawStream && isStructure(object))
      this.leftBytes -= unpackedLength(object, this.leftBytes);
    return object;
  }
}

function isStructure({ dict }: PDFRawStream): boolean {
  const type = dict.lookup(PDFName.of('Type'));
  return type === PDFName.of('ObjStm') || type === PDFName.of('XRef');
}

function unpackedLength({ dict, contents }: PDFRawStream, maxBytes: number): number {
  const named = dict.lookup(PDFName.of('Filter'));
  const filter = named instanceof PDFArray && named.size() === 1 ? named.lookup(0) : named;
  if (filter === undefined) return contents.length;
  // Other filters, and several in a row, are never used for structure.
  if (filter !== PDFName.of('FlateDecode')) throw new NotDrawable('broken');
  const limits = { maxOutputLength: Math.max(1, maxBytes), finishFlush: constants.Z_SYNC_FLUSH };
  return inflateSync(contents, limits).length;
}

// Decompression bomb: the library unpacks the catalog's metadata when it saves. Smaller metadata stays as it is.
function forgetLargeMetadata({ catalog }: PDFDocument): void {
  const metadata = catalog.lookup(PDFName.of('Metadata'));
  if (metadata instanceof PDFRawStream && !isSmall(metadata)) catalog.delete(PDFName.of('Metadata'));
}

function isSmall(stream: PDFRawStream): boolean {
  try {
    return unpackedLength(stream, MAX_METADATA_BYTES) <= MAX_METADATA_BYTES;
  } catch {
    return false; // too large, broken, or packed in a way that is not measured
  }
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

/** Whether a field of the file is signed. A file that cannot be opened has none that anybody could read. */
export async function hasSignatures(bytes: Uint8Array): Promise<boolean> {
  await checkStructure(bytes).catch(() => {
    throw new NotDrawable(isEncrypted(bytes) ? 'encrypted' : 'broken');
  });
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false, ignoreEncryption: true }).catch(
    () => undefined,
  );
  return pdf !== undefined && isSigned(pdf);
}

// A field may have its type from the field above it. Its value has these entries either way.
const isSigned = (pdf: PDFDocument): boolean =>
  pdf.context.enumerateIndirectObjects().some(([, object]) => {
    if (!(object instanceof PDFDict)) return false;
    const isField = object.lookup(PDFName.of('FT')) === PDFName.of('Sig') && object.has(PDFName.of('V'));
    return isField || (object.has(PDFName.of('ByteRange')) && object.has(PDFName.of('Contents')));
  });

/** A copy that is drawn on breaks every signature in it: better none than one that readers call forged. */
function forgetSignatures(pdf: PDFDocument): void {
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    const isSignature = object instanceof PDFDict && object.lookup(PDFName.of('FT')) === PDFName.of('Sig');
    if (isSignature) object.delete(PDFName.of('V'));
  }
  for (const name of ['Perms', 'DSS']) pdf.catalog.delete(PDFName.of(name));
  pdf.catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict)?.delete(PDFName.of('SigFlags'));
}
