import type { ValidationResults } from '../../pki/findings/validation-results.ts';
import type { FoundCountersignature, FoundFile, FoundSignature } from './found.ts';
import {
  type Circumstances,
  MEANINGS,
  type Meaning,
  meaningsOf,
  NO_CONTENT,
  NO_SIGNATURE,
  type Outcome,
  PARTLY_COVERED,
  type Reason,
  type ReportVerdict,
} from './reasons.ts';
import type { Conclusion } from './report-parts.ts';

const PASSED: Conclusion = { outcome: 'valid', verdict: 'passed', reasons: [] };

/** In order of severity: the first one present decides. */
const BY_OUTCOME: readonly Outcome[] = ['invalid', 'undetermined', 'valid'];
const BY_VERDICT: readonly ReportVerdict[] = ['failed', 'indeterminate', 'passed'];

/** Concludes one signature. A signature that fails only by missing or unreachable data is undetermined. */
export function concludeSignature(
  { valid, intact, results, ...more }: FoundSignature | FoundCountersignature,
  hasAnchors: boolean,
): Conclusion {
  if (valid) return PASSED;
  if ('lacksContent' in more && more.lacksContent) return conclude(NO_CONTENT);
  const isTimeProven = 'provenTimeMs' in more && more.provenTimeMs !== undefined;
  const meanings = meaningsOf(results, { hasAnchors, isTimeProven });
  const conclusions = meanings.length > 0 ? meanings.map(conclude) : [conclude(NO_SIGNATURE)];
  const concluded = isSignerUnknown(results, meanings)
    ? firstNamed(conclusions, 'NO_SIGNING_CERTIFICATE_FOUND')
    : worstConclusion(conclusions);
  return intact === false ? { ...concluded, outcome: 'invalid' } : concluded;
}

// EN 319 102-1, 5.3.4: the format is judged first, then whose certificate it is, and only then what was made with its key.
// Certificate substitution: a key that is not the signer's says nothing about what the signer signed.
const isSignerUnknown = ({ errors }: ValidationResults, meanings: readonly Meaning[]): boolean =>
  errors.some(({ type }) => MEANINGS[type].reason === 'NO_SIGNING_CERTIFICATE_FOUND') &&
  meanings.every(({ reason }) => reason !== 'FORMAT_FAILURE');

/** The worst of several conclusions, but for the verdict, which is that of this reason. */
function firstNamed(all: readonly Conclusion[], reason: Reason): Conclusion {
  const { outcome, verdict, reasons } = worstConclusion(all);
  return {
    outcome,
    verdict: all.find((one) => one.reasons.includes(reason))?.verdict ?? verdict,
    reasons: [reason, ...reasons.filter((one) => one !== reason)],
  };
}

/** Concludes the file: its worst signature decides, and partial coverage is never valid. */
export function concludeFile(
  { signatures, coverage, results }: FoundFile,
  ofSignatures: readonly Conclusion[],
  hasAnchors: boolean,
): Conclusion {
  if (signatures.length === 0) return conclude(NO_SIGNATURE);
  if (signatures.every(({ lacksContent }) => lacksContent)) return conclude(NO_CONTENT);
  const circumstances: Circumstances = { hasAnchors, isTimeProven: false };
  const ofFile = results && coverage.isComplete ? meaningsOf(results, circumstances) : [];
  // A coverage gap counts only if every signature is valid: a failed signature explains it.
  const isPartly = !coverage.isComplete && ofSignatures.every(({ outcome }) => outcome === 'valid');
  return worstConclusion([
    ...ofSignatures,
    ...[...ofFile, ...(isPartly ? [PARTLY_COVERED] : [])].map(conclude),
  ]);
}

const conclude = ({ outcome, verdict, reason }: Meaning): Conclusion => ({
  outcome,
  verdict,
  reasons: [reason],
});

/** The worst of several conclusions, with the reasons of all, the deciding ones first. */
function worstConclusion(all: readonly Conclusion[]): Conclusion {
  const ordered = all.toSorted(
    (a, b) =>
      BY_VERDICT.indexOf(a.verdict) - BY_VERDICT.indexOf(b.verdict) ||
      BY_OUTCOME.indexOf(a.outcome) - BY_OUTCOME.indexOf(b.outcome),
  );
  return {
    outcome: BY_OUTCOME.find((one) => all.some(({ outcome }) => outcome === one)) ?? 'valid',
    verdict: ordered[0]?.verdict ?? 'passed',
    reasons: [...new Set(ordered.flatMap(({ reasons }) => reasons))],
  };
}
