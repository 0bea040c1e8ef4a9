import { formatTime } from '../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  type ValidationItemType,
  warningFinding,
} from '../../pki/findings/validation-results.ts';
import type { TimestampReport } from './verify.ts';

/** The earliest time of a valid timestamp. @example provenTime([...timestamps, ...archiveTimestamps]) */
export function provenTime(timestamps: readonly TimestampReport[]): number | undefined {
  const times = timestamps.flatMap(({ valid, info }) => (valid && info ? [info.timeMs] : []));
  return times.length ? Math.min(...times) : undefined;
}

/**
 * Findings on signature timestamps. A token over other bytes is an error: somebody pasted it in. A token that is not
 * trusted, or that cannot be checked, is a warning and its time is not used.
 */
export const timestampFindings = (timestamps: readonly TimestampReport[]): Finding[] =>
  findingsAbout(timestamps, 'A timestamp', 'InvalidSignatureTimestamp');

/** The same for archive timestamps. */
export const archiveTimestampFindings = (timestamps: readonly TimestampReport[]): Finding[] =>
  findingsAbout(timestamps, 'An archive timestamp', 'InvalidArchiveTimestamp');

const findingsAbout = (
  timestamps: readonly TimestampReport[],
  what: string,
  invalid: ValidationItemType,
): Finding[] =>
  timestamps.map(({ valid, intact, info, verdict, results: innerValidationResults }) => {
    const inner = { innerValidationResults };
    if (valid && info)
      return passedFinding(`${what} proves that the signature existed at ${formatTime(info.timeMs)}.`, inner);
    if (intact === false) return errorFinding(invalid, `${what} of the signature is not good.`, inner);
    const why = !intact
      ? `${what} uses something that is missing or not supported here, and was not checked`
      : verdict?.status === 'ACTIVE'
        ? `${what} is not accepted`
        : `${what} comes from an authority that is not trusted`;
    return warningFinding('SignatureTimestampIgnored', `${why}; its time is not used.`, inner);
  });
