import type { Element } from '../../der/read.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { formatTime } from '../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  type ValidationItemType,
  warningFinding,
} from '../../pki/findings/validation-results.ts';
import type { Checks } from '../../pki/path/checks.ts';
import type { Judge } from '../cms/judge.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import type { SignerInfo } from '../cms/read.ts';
import { hashOf } from '../digest.ts';
import { type TimestampReport, verifyTimestamp } from '../timestamp/verify.ts';

// Timestamps are added by anyone after signing, and each costs a path. More than one is rare.
export const MAX_TIMESTAMPS = 4;

export type StampContext = {
  readonly judge: Judge;
  readonly certificates: readonly Certificate[];
  readonly crls: readonly Buffer[];
  readonly checks: Checks;
};

/** Checks the timestamps over a signature; `atMsOf` says when the authority of one is judged. */
export async function verifyTimestamps(
  { unsigned, signature }: SignerInfo,
  context: StampContext,
  atMsOf: (token: Element) => number,
): Promise<TimestampReport[]> {
  const tokens = unsigned.get(ATTRIBUTE.signatureTimestamp) ?? [];
  const reports: TimestampReport[] = [];
  for (const token of tokens.slice(0, MAX_TIMESTAMPS))
    reports.push(
      await verifyTimestamp(token.raw, (digest) => hashOf(digest, signature), {
        ...context,
        atMs: atMsOf(token),
      }),
    );
  return reports;
}

/** The earliest time that a good timestamp tells. */
export function provenTime(timestamps: readonly TimestampReport[]): number | undefined {
  const times = timestamps.flatMap(({ valid, info }) => (valid && info ? [info.timeMs] : []));
  return times.length ? Math.min(...times) : undefined;
}

/** A timestamp over something else is a failure; one that is not trusted, or cannot be checked, is left aside. */
export const timestampFindings = (timestamps: readonly TimestampReport[]): Finding[] =>
  findingsAbout(timestamps, 'A timestamp', 'InvalidSignatureTimestamp');

/** The same for archive timestamps. */
export const archiveTimestampFindings = (timestamps: readonly TimestampReport[]): Finding[] =>
  findingsAbout(timestamps, 'An archive timestamp', 'InvalidArchiveTimestamp');

const findingsAbout = (
  timestamps: readonly TimestampReport[],
  what: string,
  invalid: ValidationItemType,
): Finding[] =>
  timestamps.map(({ valid, intact, info, results: innerValidationResults }) => {
    const inner = { innerValidationResults };
    if (valid && info)
      return passedFinding(`${what} proves that the signature existed at ${formatTime(info.timeMs)}.`, inner);
    if (intact === false) return errorFinding(invalid, `${what} of the signature is not good.`, inner);
    const why = intact
      ? `${what} comes from an authority that is not trusted`
      : `${what} uses something that is missing or not supported here, and was not checked`;
    return warningFinding('SignatureTimestampIgnored', `${why}; its time is not used.`, inner);
  });
