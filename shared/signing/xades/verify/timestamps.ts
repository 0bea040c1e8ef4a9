import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import type { Certificate } from '../../../pki/certificate/certificate.ts';
import type { Finding } from '../../../pki/findings/validation-results.ts';
import type { Checks } from '../../../pki/path/checks.ts';
import type { Judge } from '../../cms/judge.ts';
import { type Digest, openHash } from '../../digest.ts';
import { archiveTimestampFindings, provenTime, timestampFindings } from '../../timestamp/findings.ts';
import { type TimestampReport, verifyTimestamp } from '../../timestamp/verify.ts';
import { HASHED_BYTE_UNITS } from '../xml/units.ts';
import type { Evidence } from './evidence.ts';
import type { SignatureFacts } from './facts.ts';
import type { StampedBytes } from './stamps.ts';

export type Timestamps = {
  readonly timestamps: readonly TimestampReport[];
  readonly archiveTimestamps: readonly TimestampReport[];
  readonly provenTimeMs: number | undefined;
  readonly findings: readonly Finding[];
};

type Context = {
  readonly judge: Judge;
  readonly atMs: number;
  readonly certificates: readonly Certificate[];
  readonly budget: Budget;
  readonly checks: Checks;
};

/**
 * Judges the timestamps of a signature from the newest to the oldest, each at the time that the next newer one proves:
 *
 *   signature   SignatureTimeStamp   ArchiveTimeStamp 1   ArchiveTimeStamp 2   now
 *      |<------------------|<------------------|<-----------------|<-----------|
 *
 * An invalid timestamp proves no time; older ones are then judged at the time of the next valid one. Backdating: an
 * archive timestamp does not cover a token after it or in the same property. Whoever holds the key of an expired
 * authority could have added that token later, so it is judged now.
 */
export async function judgeTimestamps(facts: SignatureFacts, context: Context): Promise<Timestamps> {
  const archived: { readonly at: number; readonly report: TimestampReport }[] = [];
  const judgeAt = (stamped: StampedBytes): Promise<TimestampReport> => {
    const covering = archived.filter(({ at }) => at > stamped.at).map(({ report }) => report);
    const atMs = Math.min(context.atMs, provenTime(covering) ?? context.atMs);
    return judgeStamp(stamped, facts.evidence, { ...context, atMs });
  };
  for (const stamped of facts.archiveStamps.toReversed())
    archived.unshift({ at: stamped.at, report: await judgeAt(stamped) });
  const archiveTimestamps = archived.map(({ report }) => report);
  const timestamps: TimestampReport[] = [];
  for (const stamped of facts.stamps) timestamps.push(await judgeAt(stamped));
  return {
    ...{ timestamps, archiveTimestamps },
    provenTimeMs: provenTime([...timestamps, ...archiveTimestamps]),
    findings: [...timestampFindings(timestamps), ...archiveTimestampFindings(archiveTimestamps)],
  };
}

function judgeStamp(
  { token, over }: StampedBytes,
  evidence: Evidence,
  { judge, budget, ...context }: Context,
): Promise<TimestampReport> {
  const imprint = (digest: Digest): Buffer => {
    chargeTime(budget, HASHED_BYTE_UNITS * over.reduce((sum, { length }) => sum + length, 0));
    const hash = openHash(digest);
    for (const part of over) hash.update(part);
    return hash.digest();
  };
  // The revocation data of authorities is often in the signature's properties and not in the token.
  const judgeWithEvidence: Judge = (certificate, candidates, atMs, along) =>
    judge(certificate, candidates, atMs, {
      ...along,
      crls: [...along.crls, ...evidence.crls],
      ocspResponses: [...(along.ocspResponses ?? []), ...evidence.ocspResponses],
    });
  return verifyTimestamp(token, imprint, { ...context, judge: judgeWithEvidence });
}
