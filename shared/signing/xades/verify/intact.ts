import type { Finding } from '../../../pki/findings/validation-results.ts';
import { type Integrity, integrityOf } from '../../cms/integrity.ts';

/** What a check found, and what that means for the integrity of what is covered. */
export type Checked = { readonly intact: Integrity; readonly findings: readonly Finding[] };

/** @example const { intact, findings } = together([ofDigests, ofSigner]); */
export const together = (checks: readonly Checked[]): Checked => ({
  intact: integrityOf(checks),
  findings: checks.flatMap(({ findings }) => findings),
});
