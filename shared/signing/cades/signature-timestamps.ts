import type { Certificate } from '../../pki/certificate.ts';
import { type Finding, failed, passed, warned } from '../../pki/validation-results.ts';
import { moment } from '../../pki/verdict-words.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import type { SignerInfo } from '../cms/read.ts';
import { hashOf } from '../digest.ts';
import { type TimestampContext, type TimestampReport, verifyTimestamp } from '../timestamp/verify.ts';

// Timestamps are added by anyone after signing, and each costs a path. More than one is rare.
const MOST_TIMESTAMPS = 4;

/** Checks the timestamps over a signature. */
export async function verifyTimestamps(
  { unsigned, signature }: SignerInfo,
  certificates: readonly Certificate[],
  { judge, atMs, checks }: Pick<TimestampContext, 'judge' | 'atMs' | 'checks'>,
): Promise<TimestampReport[]> {
  const tokens = unsigned.get(ATTRIBUTE.signatureTimestamp) ?? [];
  const reports: TimestampReport[] = [];
  for (const { raw } of tokens.slice(0, MOST_TIMESTAMPS))
    reports.push(
      await verifyTimestamp(raw, (digest) => hashOf(digest, signature), {
        ...{ judge, atMs, certificates, checks },
      }),
    );
  return reports;
}

/** The earliest time that a good timestamp tells. */
export function provenTime(timestamps: readonly TimestampReport[]): number | undefined {
  const times = timestamps.flatMap(({ valid, info }) => (valid && info ? [info.timeMs] : []));
  return times.length ? Math.min(...times) : undefined;
}

/** A timestamp over something else is a failure; a good one of an authority that is not trusted is left aside. */
export function timestampFindings(timestamps: readonly TimestampReport[]): Finding[] {
  return timestamps.map(({ valid, intact, info, results: innerValidationResults }) => {
    if (valid && info)
      return passed(`A timestamp proves that the signature existed at ${moment(info.timeMs)}.`, {
        innerValidationResults,
      });
    return intact
      ? warned(
          'SignatureTimestampIgnored',
          'A timestamp comes from an authority that is not trusted; its time is not used.',
          { innerValidationResults },
        )
      : failed('InvalidSignatureTimestamp', 'A timestamp of the signature is not good.', {
          innerValidationResults,
        });
  });
}
