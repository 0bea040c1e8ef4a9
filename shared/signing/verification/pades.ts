import { PdfRefused } from '../pades/refused.ts';
import type { PdfSignatureReport } from '../pades/verify/report.ts';
import { type VerifyPdfOptions, verifyPdf } from '../pades/verify/verify-pdf.ts';
import type { FoundFile, FoundSignature } from './found.ts';
import { VerificationRefused } from './refused.ts';
import { type CoveredPart, createPart, type FileCoverage } from './report-parts.ts';

/** The signatures of a PDF. Throws VerificationRefused for what is no readable PDF. */
export async function findInPdf(bytes: Uint8Array, options: VerifyPdfOptions): Promise<FoundFile> {
  const { signatures, results } = await verifyPdf(bytes, options).catch(refuse);
  return {
    format: 'PAdES',
    results,
    coverage: coverageOf(signatures),
    signatures: signatures.map(foundIn),
  };
}

const REASONS = { encrypted: 'encrypted', 'too-complex': 'too-complex' } as const;

function refuse(error: unknown): never {
  if (!(error instanceof PdfRefused)) throw error;
  const reason = error.reason in REASONS ? (error.reason as keyof typeof REASONS) : 'unreadable';
  // The advice in PdfRefused is for signers. Saving a signed file again would break its signatures.
  throw new VerificationRefused(
    reason,
    `${error.what} Ask its sender for the file as it was signed: saving it again, or without a password, breaks signatures.`,
    { cause: error },
  );
}

const foundIn = (signature: PdfSignatureReport): FoundSignature => ({
  ...signature,
  place: placeOf(signature),
  claimedTimeMs: claimedTimeOf(signature),
  covers: [coveredBy(signature)],
  changes: signature.coverage ? signature.changes : [],
  archiveTimestamps: [],
  countersignatures: [],
});

function placeOf({ kind, field, claimedTimeMs }: PdfSignatureReport): string {
  if (kind !== 'document-timestamp') return `the field ${field}`;
  const at = claimedTimeMs === undefined ? '' : ` of ${new Date(claimedTimeMs).toISOString()}`;
  return `the field ${field}, a timestamp over the document${at}`;
}

/** The time of a document timestamp is the authority's statement, which `placeOf` shows. */
const claimedTimeOf = ({ kind, claimedTimeMs, claims }: PdfSignatureReport): number | undefined =>
  kind === 'document-timestamp' ? undefined : (claimedTimeMs ?? claims.timeMs);

function coveredBy({ coverage }: PdfSignatureReport): CoveredPart {
  if (!coverage) return createPart('nothing');
  return coverage.wholeFile ? createPart('file') : createPart('revision', { bytes: coverage.bytes });
}

// Later revisions are reported with each signature. They are no coverage gap if the signers allow the changes.
function coverageOf(signatures: readonly PdfSignatureReport[]): FileCoverage {
  const whole = signatures.some(({ coverage }) => coverage?.wholeFile);
  const bytes = Math.max(0, ...signatures.map(({ coverage }) => coverage?.bytes ?? 0));
  const covered = whole ? ['the whole file'] : bytes > 0 ? [`the first ${bytes} bytes of the file`] : [];
  return { isComplete: true, covered, missing: whole ? [] : ['what was saved after the last signature'] };
}
