import type { Certificate } from '../certificate/certificate.ts';
import { displayName, displayNameOf } from '../findings/display.ts';
import { errorFinding, type Finding, isValid, resultsOf } from '../findings/validation-results.ts';
import { sameName } from '../name/match.ts';
import { type Path, validatePath } from '../path/validate.ts';
import type { RevocationContext } from '../revocation/status/context.ts';
import { type Evidence, joinEvidence, NO_EVIDENCE } from '../revocation/status/outcome.ts';
import type { CertificateStatus, Judgement } from './judgement.ts';
import { revocationFindings } from './revocation.ts';

/** How one path was judged. */
export type Attempt = {
  readonly path: Path;
  readonly isTrusted: boolean;
  readonly status: CertificateStatus;
  /** For each certificate of the path but the anchor, the target first. */
  readonly findings: readonly (readonly Finding[])[];
  readonly evidence: Evidence;
  /** No other path can change this. */
  readonly isFinal: boolean;
};

/** Judges a path to an anchor: by the rules first and, where these hold, by the status of each certificate. */
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
  // Whose time is over was good once; everything else was never to be trusted.
  return errors.every(({ type }) => type === 'CertificateExpired') ? 'EXPIRED' : 'UNTRUSTED';
}

/** From the top down, so that whoever signed a CRL is settled before the CRL is used. */
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
    // A revoked target is revoked by whatever path; a revoked authority leaves the others.
    if (outcome.status === 'revoked') return attemptEndingIn('REVOKED', i === 0);
    isUnknown ||= outcome.status === 'unknown';
  }
  // Where something is unknown, borne or not, another path may still tell that the target is revoked.
  return isUnknown && !ignoreRevocationStatusUnknown
    ? attemptEndingIn('STALE', false)
    : attemptEndingIn('ACTIVE', !isUnknown);
}

/** A path that ends before any anchor. Nothing in it can be trusted, so nothing else is judged. */
export function attemptWithoutTrust(path: Path): Attempt {
  const top = path.at(-1) ?? path[0];
  const findings = path.map((certificate): Finding[] => (certificate === top ? [findingOnTop(top)] : []));
  return { path, isTrusted: false, status: 'UNTRUSTED', findings, evidence: NO_EVIDENCE, isFinal: false };
}

function findingOnTop(top: Certificate): Finding {
  if (sameName(top.subject, top.issuer))
    return errorFinding(
      'CertificateChainRootNotTrusted',
      `The chain ends at ${displayName(top)}, which is not one of the roots that are trusted here.`,
      { detail: `SHA-256 ${top.sha256}` },
    );
  return errorFinding(
    'CertificateIssuerNotFound',
    `The certificate of ${displayNameOf(top.issuer)}, who issued that of ${displayName(top)}, is not at hand.`,
    { detail: top.issuer.text },
  );
}

/** Whether the rules found nothing wrong with this certificate. */
export const hasNoErrors = (findings: readonly Finding[]): boolean => isValid(resultsOf(findings));
