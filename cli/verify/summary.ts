import type { Outcome } from '../../shared/signing/verification/reasons.ts';
import type { VerificationReport } from '../../shared/signing/verification/report.ts';
import type { Target } from './targets.ts';

/** How many files came to what. A file that could not be read is among the undetermined. */
export type Summary = Record<Outcome, number> & { skipped: number };

export const newSummary = (skipped: number): Summary => ({ valid: 0, invalid: 0, undetermined: 0, skipped });

/** The last line. @example summarize(3, summary) // '3 files: 2 valid, 1 not valid, 0 could not be judged; 4 skipped' */
export const summarize = (files: number, { valid, invalid, undetermined, skipped }: Summary): string =>
  `${files} file${files === 1 ? '' : 's'}: ${valid} valid, ${invalid} not valid, ${undetermined} could not be judged; ${skipped} skipped`;

/** Whether a file of a folder is only what a detached signature beside it is over, and no signed file itself. */
export const isUnsignedContent = (
  { file, isFound }: Target,
  result: VerificationReport | string,
  targets: readonly Target[],
): boolean =>
  isFound &&
  (typeof result === 'string' || result.signatures.length === 0) &&
  targets.some(({ content }) => content === file);
