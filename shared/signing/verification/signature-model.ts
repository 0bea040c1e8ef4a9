import type { TimestampReport } from '../timestamp/verify.ts';
import { concludeSignature } from './conclusion.ts';
import type { FoundCountersignature, FoundSignature } from './found.ts';
import type { JudgedCertificates } from './judged-certificates.ts';
import type { CountersignatureModel, SignatureModel, TimestampModel } from './report.ts';
import { coveredText } from './report-parts.ts';

const iso = (ms: number | undefined): string | null =>
  ms === undefined || Number.isNaN(new Date(ms).getTime()) ? null : new Date(ms).toISOString();

/** Renders one signature for a report. */
export const signatureModel = (
  signature: FoundSignature,
  certificates: JudgedCertificates,
): SignatureModel => ({
  ...concludeSignature(signature, certificates.hasAnchors),
  kind: signature.kind,
  ...signedModel(signature, certificates),
  place: signature.place ?? null,
  judgedAt: iso(signature.judgedAtMs),
  claimedTime: iso(signature.claimedTimeMs),
  provenTime: iso(signature.provenTimeMs),
  timestamps: signature.timestamps.map((one) => timestampModel(one, certificates)),
  archiveTimestamps: signature.archiveTimestamps.map((one) => timestampModel(one, certificates)),
  countersignatures: signature.countersignatures.map((one) => countersignatureModel(one, certificates)),
  covers: signature.covers.map(coveredText),
  coveredParts: signature.covers,
  changes: changesText(signature),
  changedParts: signature.changes ?? [],
  policy: signature.policy?.oid ?? null,
  fieldName: signature.field ?? null,
  digestAlgorithm: signature.digest ?? null,
  messageDigest: signature.bytes?.messageDigest?.toString('base64') ?? null,
  signatureValue: signature.bytes?.signatureValue?.toString('base64') ?? null,
  isLongTerm: signature.provenTimeMs !== undefined && signature.bytes?.hasEvidence === true,
});

const countersignatureModel = (
  found: FoundCountersignature,
  certificates: JudgedCertificates,
): CountersignatureModel => ({
  ...concludeSignature(found, certificates.hasAnchors),
  ...signedModel(found, certificates),
  claimedTime: iso(found.claimedTimeMs),
});

const signedModel = (
  { certificate, verdict, intact, results }: FoundCountersignature,
  { modelOf, standingOf }: JudgedCertificates,
): Pick<SignatureModel, 'signer' | 'icpBrasil' | 'certificateStatus' | 'intact' | 'validationResults'> => ({
  intact: intact ?? null,
  signer: certificate ? modelOf(certificate) : null,
  icpBrasil: certificate ? standingOf(certificate) : 'no',
  certificateStatus: verdict?.status ?? null,
  validationResults: results,
});

const timestampModel = (
  { info, authority, valid, results }: TimestampReport,
  { modelOf }: JudgedCertificates,
): TimestampModel => ({
  time: iso(info?.timeMs),
  authority: authority ? modelOf(authority) : null,
  valid,
  serialNumber: info ? String(info.serialNumber) : null,
  messageImprint: info?.imprint.hash.toString('base64') ?? null,
  validationResults: results,
});

function changesText({ changes, covers }: FoundSignature): string[] | null {
  if (changes === undefined) return null;
  const [only] = covers;
  if (only?.kind === 'nothing') return [];
  if (changes.length === 0) return [only?.kind === 'file' ? 'nothing' : 'nothing that shows'];
  return changes.map(({ what, allowed }) => (allowed ? what : `NOT ALLOWED: ${what}`));
}
