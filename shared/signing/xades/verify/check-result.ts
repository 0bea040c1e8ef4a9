import type { Finding } from '../../../pki/findings/validation-results.ts';
import { type Integrity, integrityOf } from '../../cms/integrity.ts';

/** What a check found, and what that means for the integrity of what is covered. */
export type CheckResult = { readonly intact: Integrity; readonly findings: readonly Finding[] };

/** @example const { intact, findings } = together([ofDigests, ofSigner]); */
export const combineChecks = (checks: readonly CheckResult[]): CheckResult => ({
  intact: integrityOf(checks),
  findings: checks.flatMap(({ findings }) => findings),
});
