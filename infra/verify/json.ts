import { certificateModel } from '../../shared/pki/certificate-model.ts';
import type { TimestampReport } from '../../shared/signing/timestamp/verify.ts';
import { outcomeOf, type ShownSignature } from './shown.ts';
import type { Told } from './text.ts';

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/** The report for a program: times in ISO 8601, certificates as the services show them. */
export const asJson = ({ file, shown, outcome, hasAnchors }: Told): object => ({
  file,
  format: shown.format,
  outcome,
  validationResults: shown.results ?? null,
  signatures: shown.signatures.map((signature) => ({
    outcome: outcomeOf(signature, hasAnchors),
    ...signatureJson(signature),
  })),
});

const signatureJson = (signature: ShownSignature): object => ({
  intact: signature.intact,
  place: signature.place ?? null,
  signer: signature.certificate ? certificateModel(signature.certificate) : null,
  certificateStatus: signature.verdict?.status ?? null,
  judgedAt: iso(signature.judgedAtMs),
  claimedTime: iso(signature.claimedTimeMs),
  timestamps: signature.timestamps.map(timestampJson),
  covers: signature.covers,
  changes: signature.changes ?? null,
  policy: signature.policy?.oid ?? null,
  validationResults: signature.results,
});

const timestampJson = ({ info, authority, valid, results }: TimestampReport): object => ({
  time: iso(info?.timeMs),
  authority: authority ? certificateModel(authority) : null,
  valid,
  validationResults: results,
});
