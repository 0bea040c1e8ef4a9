import type { Element } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { Checks } from '../../pki/path/checks.ts';
import type { Judge } from '../cms/judge.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import type { SignerInfo } from '../cms/read.ts';
import { hashOf } from '../digest.ts';
import { type TimestampReport, verifyTimestamp } from '../timestamp/verify.ts';

// Denial of service: anyone can add timestamps after signing, and each costs a path. More than one is rare.
export const MAX_TIMESTAMPS = 4;

export type StampContext = {
  readonly judge: Judge;
  readonly certificates: readonly Certificate[];
  readonly crls: readonly Buffer[];
  readonly checks: Checks;
};

/** Checks the signature timestamps (EN 319 122-1, 5.3). `atMsOf` gives the time at which each authority is judged. */
export async function verifyTimestamps(
  { unsigned, signature }: SignerInfo,
  context: StampContext,
  atMsOf: (token: Element) => number,
): Promise<TimestampReport[]> {
  const tokens = (unsigned.get(ATTRIBUTE.signatureTimestamp) ?? []).filter((token) => !isWrapped(token));
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

// RFC 3161, appendix A: the value is the token itself. OpenSSL, DSS and others ignore one that is wrapped in a string.
const isWrapped = ({ tag }: Element): boolean => tag === TAG.OCTET_STRING;

/** Whether a signature timestamp was left out because it is wrapped in an OCTET STRING. */
export const hasWrappedTimestamp = ({ unsigned }: SignerInfo): boolean =>
  (unsigned.get(ATTRIBUTE.signatureTimestamp) ?? []).some(isWrapped);
