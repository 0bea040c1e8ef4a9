import { chargeList, withScratchLists } from '../../../bounds/budget.ts';
import { displayName, formatTime } from '../../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  resultsOf,
  type ValidationResults,
  warningFinding,
} from '../../../pki/findings/validation-results.ts';
import { newChecks } from '../../../pki/path/checks.ts';
import { START_BYTES } from '../../cms/check-direct-signer.ts';
import type { Judge } from '../../cms/judge.ts';
import type { SignaturePolicy } from '../../cms/policy.ts';
import { isDocumentTimestamp, subFilterOf } from '../fields.ts';
import { extendForSignature } from '../pdf/budget.ts';
import { openPdf, type Pdf } from '../pdf/document.ts';
import { sourceOf } from '../pdf/source.ts';
import { dateMs, textOf } from '../pdf/text.ts';
import { isString, type PdfDict } from '../pdf/values.ts';
import { PdfRefused } from '../refused.ts';
import { type Covered, contentsOffsetOf, isBlankFrom, isTruncated, readByteRange } from './byte-range.ts';
import type { Change, ChangeKind } from './changes.ts';
import { checkSignature, emptyProof, type Proof } from './check-signature.ts';
import { type FoundSignature, findSignatures } from './find-signatures.ts';
import { hashesOf } from './hashes.ts';
import type { Claims, PdfReport, PdfSignatureReport } from './report.ts';
import { changesAfter, type KnownSignatures, type LaterChanges } from './revision.ts';
import { judgeWithStore, readSecurityStore } from './security-store.ts';

export type VerifyPdfOptions = {
  readonly judge: Judge;
  /** The time at which certificates are judged, unless a timestamp proves an earlier one. */
  readonly atMs: number;
  readonly policies?: readonly SignaturePolicy[] | undefined;
};

type Checked = { readonly found: FoundSignature; readonly covered: Covered | string; readonly proof: Proof };

/**
 * Verifies every signature of a PDF. Throws PdfRefused for a file that is no PDF, broken, encrypted or too complex, and
 * nothing else because of the file's content.
 * @example const { valid, signatures } = await verifyPdf(bytes, { judge, atMs: now() });
 */
export async function verifyPdf(bytes: Uint8Array, options: VerifyPdfOptions): Promise<PdfReport> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pdf = openPdf(sourceOf(file));
  const checked = await checkAll(pdf, file, options);
  const known = knownSignaturesOf(file, checked);
  for (const { found } of checked) if (known.isTrusted(found.dict)) extendForSignature(pdf.budget);
  const signatures = checked.map((each) => reportOn(pdf, file, each, known));
  if (signatures.length === 0) refuseTruncated(file);
  const valid = signatures.length > 0 && signatures.every((signature) => signature.valid);
  return { signatures, valid, results: resultsOf(fileFindings(signatures)) };
}

function fileFindings(signatures: readonly PdfSignatureReport[]): Finding[] {
  if (signatures.length === 0) return [errorFinding('DecodeError', 'The PDF holds no signature.')];
  const changes = signatures.flatMap((signature) => signature.changes);
  const has = (kind: ChangeKind): boolean => changes.some((change) => change.kind === kind);
  return [
    ...(has('annotation') ? [COMMENTED] : []),
    ...(has('form-filling') ? [filledIn(fieldsWith(changes, 'form-filling'))] : []),
    ...(has('covering-signature') ? [covered(fieldsWith(changes, 'covering-signature'))] : []),
  ];
}

const COMMENTED = warningFinding(
  'UnknownUnsignedAttributesPresent',
  'Comments that nobody signed were added or changed after signing, as a signer allows. Do not take them for the document.',
);

const filledIn = (fields: string): Finding =>
  warningFinding(
    'UnknownUnsignedAttributesPresent',
    `Fields of the form were filled in after a signature, which does not cover what they say: ${fields}.`,
  );

const covered = (fields: string): Finding =>
  warningFinding(
    'UnknownUnsignedAttributesPresent',
    `A later signature shows itself over content of a page, which whoever signed before saw without it: ${fields}.`,
  );

const MAX_NAMED_FIELDS = 5;

function fieldsWith(changes: readonly Change[], kind: ChangeKind): string {
  const names = [
    ...new Set(changes.flatMap((change) => (change.kind === kind ? [`"${change.field}"`] : []))),
  ];
  const more = names.length - MAX_NAMED_FIELDS;
  return names.slice(0, MAX_NAMED_FIELDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

// A truncated file may be read as the document before signing.
function refuseTruncated(file: Buffer): void {
  if (isTruncated(file))
    throw new PdfRefused(
      'broken',
      'The PDF holds no signature that can be found, and its end is missing: it was cut short.',
    );
}

// Signatures are identified by their offset: every reference to one means the same bytes.
function knownSignaturesOf(file: Buffer, checked: readonly Checked[]): KnownSignatures {
  const matching = (isMatch: (one: Checked) => boolean) => {
    const offsets = new Set(checked.filter(isMatch).map(({ found }) => found.contentsAt));
    return (signature: PdfDict): boolean => {
      const at = contentsOffsetOf(file, signature);
      return at !== undefined && offsets.has(at);
    };
  };
  return {
    // A signature that could not be checked counts like that of an unknown signer: it may exist, and not be visible.
    mayBeValid: matching(({ proof, found }) => proof.intact !== false && !found.isShared),
    isTrusted: matching(
      ({ proof }) => proof.intact === true && (proof.verdict?.status ?? 'UNTRUSTED') !== 'UNTRUSTED',
    ),
  };
}

// Sneaky signature attack: an untrusted signer must not add visible content after a trusted signature. After an untrusted
// signature, all signers are treated alike.
const trustAsSeenBy = (signature: PdfDict, known: KnownSignatures): KnownSignatures =>
  known.isTrusted(signature) ? known : { ...known, isTrusted: () => true };

// Each costs a hash of the file and a walk through the document: a file with hundreds is made to keep a server busy.
const MAX_SIGNATURES = 100;
const TOO_MANY = `The PDF holds more than ${MAX_SIGNATURES} signatures; this one was not checked.`;

// From the last signature to the first: a document timestamp proves that everything before it existed by then, so
// earlier certificates are judged at that time (ETSI EN 319 142-1, 5.4.3).
async function checkAll(pdf: Pdf, file: Buffer, options: VerifyPdfOptions): Promise<Checked[]> {
  const store = readSecurityStore(pdf);
  const judge = judgeWithStore(options.judge, store);
  const { certificates } = store;
  const hasStored = store.crls.length + store.ocspResponses.length > 0;
  const found = findSignatures(pdf, file)
    .map((signature, at) => ({
      found: signature,
      covered: at < MAX_SIGNATURES ? readByteRange(file, signature.dict) : TOO_MANY,
    }))
    .sort((one, other) => endOf(one.covered) - endOf(other.covered));
  const hashOf = hashesOf(
    file,
    found.flatMap(({ covered }) => (typeof covered === 'string' ? [] : [covered])),
    pdf.budget,
  );
  const checks = newChecks();
  const checked: Checked[] = [];
  let { atMs } = options;
  for (const { found: signature, covered } of found.reverse()) {
    const context = {
      ...options,
      judge,
      atMs,
      certificates,
      checks,
      contentStart: file.subarray(0, START_BYTES),
    };
    const proof =
      typeof covered === 'string'
        ? emptyProof([errorFinding('DecodeError', covered)], context)
        : await checkSignature(subFilterOf(signature.dict), covered, hashOf(covered), context);
    if (isDocumentTimestamp(signature.dict) && proof.provenTimeMs !== undefined)
      atMs = Math.min(atMs, proof.provenTimeMs);
    const bytes = proof.bytes && { ...proof.bytes, hasEvidence: hasStored || proof.bytes.hasEvidence };
    checked.unshift({ found: signature, covered, proof: { ...proof, bytes } });
  }
  return checked;
}

// A signature without a coverage comes last: it says nothing about the others.
const endOf = (covered: Covered | string): number =>
  typeof covered === 'string' ? Number.MAX_SAFE_INTEGER : covered.end;

function reportOn(
  pdf: Pdf,
  file: Buffer,
  { found: { field, dict, isCurrent }, covered, proof }: Checked,
  known: KnownSignatures,
): PdfSignatureReport {
  const isCovered = typeof covered !== 'string';
  const wholeFile = isCovered && (covered.end === file.length || isBlankFrom(file, covered.end));
  const afterwards: LaterChanges = isCovered
    ? withScratchLists(pdf.budget, () =>
        changesAfter(pdf, file, covered, wholeFile, trustAsSeenBy(dict, known)),
      )
    : { changes: [], allowedChanges: undefined };
  const modifications = afterwards.changes.filter(({ allowed }) => !allowed);
  const overlays = afterwards.changes.filter(({ kind }) => kind === 'overlay');
  const unmodified = isCovered && isCurrent && modifications.length === 0;
  const claims = claimsOf(pdf, dict);
  const claimErrors = claimErrorsOf(proof, claims);
  const { results, valid, ...proven } = proof;
  return {
    ...proven,
    ...afterwards,
    kind: isDocumentTimestamp(dict) ? 'document-timestamp' : 'signature',
    field: field.name,
    subFilter: subFilterOf(dict),
    claims,
    coverage: isCovered ? { bytes: covered.end, wholeFile } : undefined,
    unmodified,
    valid: valid && unmodified && claimErrors.length === 0 && overlays.length === 0,
    results: withErrors(results, [
      ...claimErrors,
      ...overlays.map(({ what, field }) =>
        errorFinding(
          'UnknownUnsignedAttributesPresent',
          `${what} ${field === undefined ? `${AS_ALLOWED} ` : ''}${COMPARE}`,
        ),
      ),
      ...(isCurrent
        ? []
        : [errorFinding(CHANGED, 'The signature was removed from the document afterwards.')]),
      ...modifications.map(({ what }) =>
        errorFinding(CHANGED, `The document was changed after it was signed. ${what}`),
      ),
    ]),
  };
}

const CHANGED = 'MessageDigestMismatch';
// What such a change covers, a program cannot tell.
const AS_ALLOWED = 'The signer allows annotations.';
const COMPARE = 'Compare the page with the document as it was signed.';

const withErrors = (results: ValidationResults, findings: readonly Finding[]): ValidationResults => ({
  ...results,
  errors: [...results.errors, ...resultsOf(findings).errors],
});

function claimErrorsOf({ certificate }: Proof, { timeMs }: Claims): Finding[] {
  if (!certificate || timeMs === undefined) return [];
  if (timeMs >= certificate.notBeforeMs && timeMs <= certificate.notAfterMs) return [];
  const message = `The signer claims ${formatTime(timeMs)}, when the certificate of ${displayName(certificate)} was not valid.`;
  return [errorFinding('SigningTimeOutOfCertificateValidity', message)];
}

function claimsOf({ budget }: Pdf, signature: PdfDict): Claims {
  const text = (key: string): string | undefined => {
    const value = signature.get(key);
    if (!isString(value)) return undefined;
    chargeList(budget, 2 * value.raw.length);
    return textOf(value);
  };
  const time = text('M');
  return {
    name: text('Name'),
    reason: text('Reason'),
    location: text('Location'),
    contact: text('ContactInfo'),
    timeMs: time === undefined ? undefined : dateMs(time),
  };
}
