import { withScratchMemory } from '../../../bounds/budget.ts';
import { fieldsOf, formOf, signatureOf } from '../fields.ts';
import { catalogOf, openPdf, type Pdf } from '../pdf/document.ts';
import { sourceOf } from '../pdf/source.ts';
import type { PdfDict } from '../pdf/values.ts';
import { type ChangeLevel, isCertification, permissionsOf } from '../permissions.ts';
import { isTooComplex, PdfRefused } from '../refused.ts';
import { buildsOn, findUnaccounted, hasProperEnd } from './appended/appended.ts';
import { type Covered, contentsOffsetOf } from './byte-range.ts';
import { type Change, modification } from './changes.ts';
import { compareDocuments } from './compare/documents.ts';

export type LaterChanges = {
  readonly changes: readonly Change[];
  readonly allowedChanges: ChangeLevel | undefined;
};

/** Facts about the file's signatures, by their dictionaries. */
export type KnownSignatures = {
  /** Whether it is not proven invalid. */
  readonly mayBeValid: (signature: PdfDict) => boolean;
  readonly isTrusted: (signature: PdfDict) => boolean;
};

/** The changes to the document after a signature, and the changes that its signers allow. */
export function changesAfter(
  pdf: Pdf,
  file: Buffer,
  { end, contentsStart }: Covered,
  wholeFile: boolean,
  { mayBeValid, isTrusted }: KnownSignatures,
): LaterChanges {
  try {
    const signed = wholeFile ? pdf : signedDocument(pdf, file, end);
    const { dict } = catalogOf(signed);
    const fields = fieldsOf(signed, formOf(signed, dict));
    const allowedChanges = permissionsOf(signed, dict, fields).level;
    if (wholeFile) return { changes: [], allowedChanges };
    // Incremental saving attack: the newest save leads past the signed document.
    const bypassed = modification('The file no longer builds on the document that was signed.');
    // Signature wrapping attack: the signature's field is outside of the bytes that it covers.
    const own = fields.find((field) =>
      withScratchMemory(signed.budget, () => isAt(file, signatureOf(signed, field), contentsStart)),
    );
    const signature = own && signatureOf(signed, own);
    const foreign = modification('The signature was not in the document that it covers.');
    // Sneaky signature attack: a new field with an older signature is not a later signature.
    const isLater = (signature: PdfDict): boolean =>
      mayBeValid(signature) && (contentsOffsetOf(file, signature) ?? 0) >= end;
    const changes = [
      ...(signature ? [] : [foreign]),
      ...findUnaccounted(pdf, signed, file, end),
      ...(buildsOn(pdf, signed) ? [] : [bypassed]),
      ...compareDocuments(signed, pdf, {
        isCertification: signature !== undefined && isCertification(signed, signature),
        isLater,
        isTrusted,
      }),
    ];
    return { changes, allowedChanges };
  } catch (error) {
    if (!(error instanceof PdfRefused) || isTooComplex(error)) throw error;
    const what = `The signed document cannot be compared with the file. ${error.message}`;
    return { changes: [modification(what)], allowedChanges: undefined };
  }
}

// The covered bytes are a whole document: the file as it was saved when signed (ISO 32000-2, 12.8.1).
function signedDocument({ budget }: Pdf, file: Buffer, end: number): Pdf {
  if (!hasProperEnd(file, end, budget))
    throw new PdfRefused('broken', 'The bytes that it covers are not a whole document.');
  return openPdf(sourceOf(file.subarray(0, end)), budget);
}

const isAt = (file: Buffer, signature: PdfDict | undefined, at: number): boolean =>
  signature !== undefined && contentsOffsetOf(file, signature) === at;
