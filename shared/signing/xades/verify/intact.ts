import type { Finding } from '../../../pki/validation-results.ts';

/** Whether what is covered is as it was signed; undefined where that could not be checked. */
export type Intact = boolean | undefined;

/** What a check found, and what that means for the integrity of what is covered. */
export type Checked = { readonly intact: Intact; readonly findings: readonly Finding[] };

/** One that is broken breaks all of them. Else one that could not be checked leaves all of them open. */
export const allIntact = (parts: readonly Intact[]): Intact =>
  parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;

/** @example const { intact, findings } = together([ofDigests, ofSigner]); */
export const together = (checks: readonly Checked[]): Checked => ({
  intact: allIntact(checks.map(({ intact }) => intact)),
  findings: checks.flatMap(({ findings }) => findings),
});
