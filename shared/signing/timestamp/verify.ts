import type { Certificate } from '../../pki/certificate/certificate.ts';
import { formatTime } from '../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  resultsOf,
  type ValidationResults,
} from '../../pki/findings/validation-results.ts';
import { type Checks, newChecks, tryChargeReading } from '../../pki/path/checks.ts';
import { isFromTheFuture } from '../../pki/revocation/freshness.ts';
import { readEvidence } from '../cms/evidence.ts';
import type { Integrity } from '../cms/integrity.ts';
import type { CertificateVerdict, Judge } from '../cms/judge.ts';
import { weaknessFindings } from '../cms/weak-algorithms.ts';
import { CmsMalformed } from '../errors.ts';
import { checkToken, type ImprintOf } from './check-token.ts';
import type { TimestampInfo } from './info.ts';

export type TimestampReport = {
  /** Undefined for an unreadable token. */
  readonly info: TimestampInfo | undefined;
  readonly authority: Certificate | undefined;
  readonly intact: Integrity;
  readonly verdict: CertificateVerdict | undefined;
  /** Intact and from a trusted authority: its time is proof. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type TimestampContext = {
  readonly judge: Judge;
  /** When the authority's certificate is judged: now, or a time by which the token is proven to exist. */
  readonly atMs: number;
  readonly certificates?: readonly Certificate[] | undefined;
  /** Revocation data beside the token's own, as elements of SignedData.crls. */
  readonly crls?: readonly Buffer[] | undefined;
  /** The budget that all the signatures of one file share. */
  readonly checks?: Checks | undefined;
};

/**
 * Verifies a token (RFC 3161). Never throws for the content of the token.
 * @example const { valid, info } = await verifyTimestamp(token, (digest) => hashOf(digest, signature), { judge, atMs });
 */
export async function verifyTimestamp(
  token: Buffer,
  imprintOf: ImprintOf,
  { judge, atMs, certificates = [], crls = [], checks = newChecks() }: TimestampContext,
): Promise<TimestampReport> {
  if (!tryChargeReading(token.length, checks)) return unprovenTimestamp(undefined, TOO_MANY);
  try {
    const check = checkToken(token, imprintOf, certificates, checks);
    const { certificate: authority, intact, info } = check;
    const verdict =
      authority && intact
        ? await judge(authority, check.certificates, atMs, {
            ...readEvidence([...check.crls, ...crls]),
            checks,
          })
        : undefined;
    const objections = intact
      ? [
          ...weaknessFindings({ key: authority?.publicKey, digests: check.digests }, atMs),
          ...timeFindings(info, atMs),
        ]
      : [];
    const findings = [...check.findings, ...objections, ...(verdict ? [authorityFinding(verdict)] : [])];
    const valid =
      intact === true &&
      verdict?.status === 'ACTIVE' &&
      objections.every(({ outcome }) => outcome !== 'errors');
    return { info, authority, intact, verdict, valid, results: resultsOf(findings) };
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    return unprovenTimestamp(
      false,
      errorFinding('DecodeError', `The timestamp cannot be read. ${error.message}`),
    );
  }
}

/** A time after that of the judgement is no proof: a clock that is wrong, or a token that was made for later. */
const timeFindings = ({ timeMs }: TimestampInfo, atMs: number): Finding[] =>
  isFromTheFuture({ thisUpdateMs: timeMs }, atMs)
    ? [
        errorFinding(
          'UncertifiedDateReference',
          `The timestamp tells ${formatTime(timeMs)}, which is later than ${formatTime(atMs)}, when it is judged.`,
        ),
      ]
    : [];

const TOO_MANY = errorFinding(
  'TimestampValidationException',
  'The timestamp was not checked: the file asks for more checks than one may.',
);

/** The report on a token that proves nothing, with the reason. */
export const unprovenTimestamp = (intact: Integrity, finding: Finding): TimestampReport => ({
  info: undefined,
  authority: undefined,
  intact,
  verdict: undefined,
  valid: false,
  results: resultsOf([finding]),
});

function authorityFinding({ status, results: innerValidationResults }: CertificateVerdict) {
  return status === 'ACTIVE'
    ? passedFinding("The timestamp authority's certificate is valid.", { innerValidationResults })
    : errorFinding('CertificateValidationFailed', `The timestamp authority's certificate is ${status}.`, {
        innerValidationResults,
      });
}
