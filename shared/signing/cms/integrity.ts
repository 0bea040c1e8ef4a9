import type { Finding } from '../../pki/findings/validation-results.ts';

/** Whether bytes are as they were signed; undefined where that could not be checked. */
export type Integrity = boolean | undefined;

/** The finding of one check, and what it means for the bytes. */
export type CheckResult = { readonly finding: Finding; readonly intact: Integrity };

/** The check passed, or does not bear on the bytes. */
export const intactResult = (finding: Finding): CheckResult => ({ finding, intact: true });
export const brokenResult = (finding: Finding): CheckResult => ({ finding, intact: false });
/** Something that the check needs is missing or not supported. */
export const uncheckedResult = (finding: Finding): CheckResult => ({ finding, intact: undefined });

/** One broken part outweighs unchecked parts, and these outweigh intact ones. */
export function integrityOf(parts: readonly { readonly intact: Integrity }[]): Integrity {
  if (parts.some(({ intact }) => intact === false)) return false;
  return parts.some(({ intact }) => intact === undefined) ? undefined : true;
}

/** The findings of several checks, and what they mean together for the bytes. */
export type CheckSummary = { readonly intact: Integrity; readonly findings: readonly Finding[] };

/** @example const { intact, findings } = combineChecks([ofDigests, ofSigner]); */
export const combineChecks = (checks: readonly CheckSummary[]): CheckSummary => ({
  intact: integrityOf(checks),
  findings: checks.flatMap(({ findings }) => findings),
});
