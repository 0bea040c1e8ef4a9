import { readFileSync } from 'node:fs';
import type { Judge } from '../../shared/signing/cms/judge.ts';
import { PdfRefused } from '../../shared/signing/pades/refused.ts';
import type { PdfSignatureReport } from '../../shared/signing/pades/verify/report.ts';
import { verifyPdf } from '../../shared/signing/pades/verify/verify-pdf.ts';
import type { Options } from './options.ts';
import type { Shown } from './shown.ts';

export async function showPades({ file, atMs }: Options, judge: Judge): Promise<Shown> {
  const { signatures, valid, results } = await verifyPdf(readFileSync(file), { judge, atMs }).catch(
    unreadable,
  );
  return {
    format: 'PAdES',
    valid,
    results,
    signatures: signatures.map((signature) => ({
      ...signature,
      place: placeOf(signature),
      claimedTimeMs: claimedTimeOf(signature),
      covers: [coverageOf(signature)],
      changes: changesAfter(signature),
    })),
  };
}

function unreadable(error: unknown): never {
  if (!(error instanceof PdfRefused)) throw error;
  throw new Error(
    `${error.what} Ask its sender for the file as it was signed: saving it again, or without a password, breaks signatures.`,
    { cause: error },
  );
}

function placeOf({ kind, field, claimedTimeMs }: PdfSignatureReport): string {
  if (kind !== 'document-timestamp') return `the field ${field}`;
  const at = claimedTimeMs === undefined ? '' : ` of ${new Date(claimedTimeMs).toISOString()}`;
  return `the field ${field}, a timestamp over the document${at}`;
}

/** A timestamp's time is the authority's word and stands with its place. */
const claimedTimeOf = ({ kind, claimedTimeMs, claims }: PdfSignatureReport): number | undefined =>
  kind === 'document-timestamp' ? undefined : (claimedTimeMs ?? claims.timeMs);

function coverageOf({ coverage }: PdfSignatureReport): string {
  if (!coverage) return 'nothing that could be told';
  return coverage.wholeFile ? 'the whole file' : `the file as it was then, its first ${coverage.bytes} bytes`;
}

function changesAfter({ coverage, changes }: PdfSignatureReport): string[] {
  if (!coverage) return [];
  if (changes.length === 0) return [coverage.wholeFile ? 'nothing' : 'nothing that shows'];
  return changes.map(({ what, allowed }) => (allowed ? what : `NOT ALLOWED: ${what}`));
}
