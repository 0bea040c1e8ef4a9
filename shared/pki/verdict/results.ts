import { displayName } from '../findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  resultsOf,
  type ValidationResults,
  warningFinding,
} from '../findings/validation-results.ts';
import { type Evidence, joinEvidence } from '../revocation/status/context.ts';
import { type Attempt, hasNoErrors } from './attempt.ts';
import type { CertificateStatus, Verdict } from './judgement.ts';

// The verdict is that of the path with the best status.
const RANK: Readonly<Record<CertificateStatus, number>> = {
  ACTIVE: 0,
  STALE: 1,
  EXPIRED: 2,
  REVOKED: 3,
  UNTRUSTED: 4,
};

/** The verdict over all judged paths, with extra findings that belong to no path. */
export function verdictOf(attempts: readonly Attempt[], extraFindings: readonly Finding[]): Verdict {
  const [best, ...others] = [...attempts].toSorted(
    (a, b) => Number(b.isFinal) - Number(a.isFinal) || RANK[a.status] - RANK[b.status],
  );
  if (!best) throw new Error('No path was judged; a certificate alone is a path.');
  const failures = best.status === 'ACTIVE' ? [] : others.map(describeOtherPath);
  return {
    status: best.status,
    results: resultsOf([...treeOf(best, 0), ...failures, ...extraFindings]),
    path: best.path,
    evidence: encodeEvidence(best.evidence),
    isIssuerOutOfReach: best.isIssuerOutOfReach ?? false,
  };
}

/** The findings for a certificate, with those for its issuer nested inside. */
function treeOf(attempt: Attempt, i: number): Finding[] {
  const { path, findings, isTrusted } = attempt;
  const own = findings[i] ?? [];
  const issuer = path[i + 1];
  if (!issuer)
    return isTrusted
      ? [...own, passedFinding(`${displayName(path.at(-1) ?? path[0])} is a trusted root.`)]
      : [...own];
  const above = treeOf(attempt, i + 1);
  const innerValidationResults: ValidationResults = resultsOf(above);
  const about = hasNoErrors(above)
    ? {
        ...passedFinding(`The issuer, ${displayName(issuer)}, is valid.`),
        type: 'CertificateIssuerValid' as const,
      }
    : errorFinding('CertificateIssuerInvalid', `The issuer, ${displayName(issuer)}, is not valid.`);
  return [...own, { ...about, innerValidationResults }];
}

function describeOtherPath(attempt: Attempt): Finding {
  const way = attempt.path.slice(1).map(displayName).join(', ');
  return warningFinding(
    'CertificateValidationFailed',
    `Another path, by way of ${way || 'nobody'}, is not valid either.`,
    {
      innerValidationResults: resultsOf(treeOf(attempt, 0)),
    },
  );
}

function encodeEvidence(evidence: Evidence): Verdict['evidence'] {
  const { crls, ocspResponses, signers } = joinEvidence([evidence]);
  return {
    crls: crls.map(({ der }) => der),
    ocspResponses: ocspResponses.map(({ der }) => der),
    certificates: signers,
  };
}
