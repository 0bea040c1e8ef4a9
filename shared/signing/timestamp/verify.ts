import type { Certificate } from '../../pki/certificate.ts';
import { type Checks, newChecks } from '../../pki/path/checks.ts';
import { failed, passed, resultsOf, type ValidationResults } from '../../pki/validation-results.ts';
import { evidenceIn } from '../cms/evidence.ts';
import type { CertificateVerdict, Judge } from '../cms/judge.ts';
import { CmsMalformed } from '../errors.ts';
import { checkToken, type ImprintOf } from './check-token.ts';
import type { TimestampInfo } from './info.ts';

export type TimestampReport = {
  /** Undefined when the token cannot be read at all. */
  readonly info: TimestampInfo | undefined;
  readonly authority: Certificate | undefined;
  readonly intact: boolean | undefined;
  readonly verdict: CertificateVerdict | undefined;
  /** Intact, from an authority that is trusted: its time is proof. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type TimestampContext = {
  readonly judge: Judge;
  /** When the authority's certificate is judged: now, or when later evidence shows that the token existed. */
  readonly atMs: number;
  readonly certificates?: readonly Certificate[] | undefined;
  /** Shared among all the signatures of one file. */
  readonly checks?: Checks | undefined;
};

/**
 * A token's whole report. Never throws for what the token holds.
 * @example const { valid, info } = await verifyTimestamp(token, (digest) => hashOf(digest, signature), { judge, atMs });
 */
export async function verifyTimestamp(
  token: Buffer,
  imprintOf: ImprintOf,
  { judge, atMs, certificates = [], checks = newChecks() }: TimestampContext,
): Promise<TimestampReport> {
  try {
    const check = checkToken(token, imprintOf, certificates, checks);
    const { certificate: authority, intact, info } = check;
    const verdict =
      authority && intact
        ? await judge(authority, check.certificates, atMs, { ...evidenceIn(check.crls), checks })
        : undefined;
    const findings = verdict ? [...check.findings, trustOf(verdict)] : check.findings;
    const valid = intact === true && verdict?.status === 'ACTIVE';
    return { info, authority, intact, verdict, valid, results: resultsOf(findings) };
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    const results = resultsOf([failed('DecodeError', `The timestamp cannot be read. ${error.message}`)]);
    return {
      info: undefined,
      authority: undefined,
      intact: false,
      verdict: undefined,
      valid: false,
      results,
    };
  }
}

function trustOf({ status, results: innerValidationResults }: CertificateVerdict) {
  return status === 'ACTIVE'
    ? passed("The timestamp authority's certificate is valid.", { innerValidationResults })
    : failed('CertificateValidationFailed', `The timestamp authority's certificate is ${status}.`, {
        innerValidationResults,
      });
}
