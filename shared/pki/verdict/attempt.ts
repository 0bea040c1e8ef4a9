import type { Certificate } from '../certificate/certificate.ts';
import { displayName, displayNameOf, formatTime } from '../findings/display.ts';
import {
  errorFinding,
  type Finding,
  isValid,
  passedFinding,
  resultsOf,
  warningFinding,
} from '../findings/validation-results.ts';
import { sameName } from '../name/match.ts';
import { type Path, validatePath } from '../path/validate.ts';
import type { RevocationReason } from '../revocation/reasons.ts';
import {
  type Evidence,
  joinEvidence,
  NO_EVIDENCE,
  type RevocationContext,
  type RevocationOutcome,
} from '../revocation/status/context.ts';
import type { CertificateStatus, Judgement } from './judgement.ts';

/** The judgement of one path. */
export type Attempt = {
  readonly path: Path;
  readonly isTrusted: boolean;
  readonly status: CertificateStatus;
  /** One list per certificate of the path except the anchor, the target first. */
  readonly findings: readonly (readonly Finding[])[];
  readonly evidence: Evidence;
  /** No other path can change the verdict. */
  readonly isFinal: boolean;
  /** The path is incomplete, as the address of the next issuer gave nothing. */
  readonly isIssuerOutOfReach?: boolean;
};

/** Judges a path to an anchor: the rules first and, if they pass, the revocation status of each certificate. */
export async function judgePath(
  path: Path,
  context: RevocationContext,
  judgement: Judgement,
): Promise<Attempt> {
  const findings = validatePath(path, context.settings);
  const status = statusByRules(findings.flat());
  const isSettled = status !== 'ACTIVE' || judgement.revocation === 'skip';
  if (!isSettled) return checkRevocation(path, findings, context, judgement);
  return { path, isTrusted: true, status, findings, evidence: NO_EVIDENCE, isFinal: status === 'ACTIVE' };
}

function statusByRules(findings: readonly Finding[]): CertificateStatus {
  const errors = findings.filter(({ outcome }) => outcome === 'errors');
  if (errors.length === 0) return 'ACTIVE';
  // An expired certificate was trusted once. Any other error means that it never was.
  return errors.every(({ type }) => type === 'CertificateExpired') ? 'EXPIRED' : 'UNTRUSTED';
}

/** From the anchor down, so that the signer of a CRL is checked before the CRL is used. */
async function checkRevocation(
  path: Path,
  findings: readonly (readonly Finding[])[],
  context: RevocationContext,
  { ignoreRevocationStatusUnknown = false }: Judgement,
): Promise<Attempt> {
  const all = findings.map((own) => [...own]);
  const evidence: Evidence[] = [];
  let isUnknown = false;
  const attemptEndingIn = (status: CertificateStatus, isFinal: boolean): Attempt => ({
    path,
    isTrusted: true,
    status,
    findings: all,
    evidence: joinEvidence(evidence),
    isFinal,
  });

  for (let i = path.length - 2; i >= 0; i--) {
    const [certificate, ...above] = path.slice(i);
    if (!certificate) continue;
    const outcome = await context.statusOf([certificate, ...above], context);
    all[i]?.push(...revocationFindings(certificate, outcome, ignoreRevocationStatusUnknown));
    if (outcome.status !== 'unknown') evidence.push(outcome.evidence);
    // A revoked target is revoked on every path. A revoked authority leaves the other paths open.
    if (outcome.status === 'revoked') return attemptEndingIn('REVOKED', i === 0);
    isUnknown ||= outcome.status === 'unknown';
  }
  // While a status is unknown, even if ignored, another path may still show that the target is revoked.
  return isUnknown && !ignoreRevocationStatusUnknown
    ? attemptEndingIn('STALE', false)
    : attemptEndingIn('ACTIVE', !isUnknown);
}

/**
 * A path without an anchor. Nothing in it is trusted, so nothing else is judged. `problem`: why the address of the next
 * issuer gave nothing.
 */
export function attemptWithoutTrust(path: Path, problem?: string): Attempt {
  const top = path.at(-1) ?? path[0];
  const isIssuerOutOfReach = problem !== undefined && !isSelfIssued(top);
  const findings = path.map((certificate): Finding[] =>
    certificate === top ? [findingOnTop(top, problem)] : [],
  );
  return {
    path,
    isTrusted: false,
    status: 'UNTRUSTED',
    findings,
    evidence: NO_EVIDENCE,
    isFinal: false,
    isIssuerOutOfReach,
  };
}

const isSelfIssued = ({ subject, issuer }: Certificate): boolean => sameName(subject, issuer);

function findingOnTop(top: Certificate, problem: string | undefined): Finding {
  if (isSelfIssued(top))
    return errorFinding(
      'CertificateChainRootNotTrusted',
      `The chain ends at ${displayName(top)}, which is not a trusted root here.`,
      { detail: `SHA-256 ${top.sha256}` },
    );
  return errorFinding(
    'CertificateIssuerNotFound',
    `The certificate of ${displayNameOf(top.issuer)}, who issued that of ${displayName(top)}, is not at hand.${problem === undefined ? '' : ` ${problem}`}`,
    { detail: top.issuer.text },
  );
}

/** Whether the rules found no error in this certificate. */
export const hasNoErrors = (findings: readonly Finding[]): boolean => isValid(resultsOf(findings));

/** The findings for a certificate's revocation status. */
function revocationFindings(
  certificate: Certificate,
  outcome: RevocationOutcome,
  ignoreUnknown: boolean,
): Finding[] {
  const who = displayName(certificate);
  switch (outcome.status) {
    case 'revoked': {
      const { revokedAtMs, reason } = outcome.revocation;
      const message = `The certificate of ${who} was ${ACTIONS[reason] ?? 'revoked'} on ${formatTime(revokedAtMs)}.`;
      return [errorFinding('CertificateRevoked', message, { detail: `By ${outcome.by}, reason ${reason}.` })];
    }
    case 'good': {
      const { by, thisUpdateMs, nextUpdateMs, isLate } = outcome;
      const known = passedFinding(`The certificate of ${who} is not revoked.`, {
        detail: `By ${by} of ${formatTime(thisUpdateMs)}${nextUpdateMs === undefined ? '' : `, next due ${formatTime(nextUpdateMs)}`}.`,
      });
      return isLate ? [known, lateFinding(who, outcome.nextUpdateMs ?? thisUpdateMs)] : [known];
    }
    case 'unknown': {
      const inner = outcome.problems.length ? { innerValidationResults: resultsOf(outcome.problems) } : {};
      const finding = ignoreUnknown ? warningFinding : errorFinding;
      const message = `The revocation status of the certificate of ${who} is unknown: no usable revocation data is available.`;
      return [finding('CertificateRevocationStatusUnknown', message, inner)];
    }
  }
}

const ACTIONS: Partial<Record<RevocationReason, string>> = { certificateHold: 'put on hold' };

const lateFinding = (who: string, dueMs: number): Finding =>
  warningFinding(
    'CertificateRevocationStatusUnknown',
    `Newer revocation data for ${who} was due on ${formatTime(dueMs)} and is not available; the last data counts within the grace window.`,
  );
