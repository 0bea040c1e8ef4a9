import type { Finding } from '../../../pki/findings/validation-results.ts';
import { type Integrity, integrityOf } from '../../cms/integrity.ts';

/** The findings of a check, and what they mean for the integrity of the covered bytes. */
export type CheckResult = { readonly intact: Integrity; readonly findings: readonly Finding[] };

/** @example const { intact, findings } = together([ofDigests, ofSigner]); */
export const combineChecks = (checks: readonly CheckResult[]): CheckResult => ({
  intact: integrityOf(checks),
  findings: checks.flatMap(({ findings }) => findings),
});
