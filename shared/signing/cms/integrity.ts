import type { Finding } from '../../pki/findings/validation-results.ts';

/** Whether bytes are as they were signed; undefined where that could not be checked here. */
export type Integrity = boolean | undefined;

/** One check, and what it says of the bytes. */
export type CheckResult = { readonly finding: Finding; readonly intact: Integrity };

/** The check holds, or has no bearing on the bytes. */
export const intactResult = (finding: Finding): CheckResult => ({ finding, intact: true });
export const brokenResult = (finding: Finding): CheckResult => ({ finding, intact: false });
/** Something that the check needs is missing or not supported here. */
export const uncheckedResult = (finding: Finding): CheckResult => ({ finding, intact: undefined });

/** One broken part outweighs what could not be checked, and that outweighs what holds. */
export function integrityOf(parts: readonly { readonly intact: Integrity }[]): Integrity {
  if (parts.some(({ intact }) => intact === false)) return false;
  return parts.some(({ intact }) => intact === undefined) ? undefined : true;
}
