import type { Certificate } from '../../certificate/certificate.ts';
import { keyUsage } from '../../extensions/extensions.ts';
import { displayName, displayNameOf } from '../../findings/display.ts';
import { sameName } from '../../name/match.ts';
import { buildPaths } from '../../path/build.ts';
import { type Checks, isChecked } from '../../path/checks.ts';
import { algorithmObjection } from '../../path/rules/algorithms.ts';
import type { Signed } from '../../path/signed.ts';
import { type Path, validatePath } from '../../path/validate.ts';
import type { Crl } from '../crl/crl.ts';
import { type Evidence, joinEvidence, NO_EVIDENCE, type RevocationContext } from './context.ts';

/** The signer of a CRL, or the problem why there is no authorized one. */
export type Signer =
  | {
      readonly certificate: Certificate;
      /** The signer vouches for itself: its status is only in its own CRL. */
      readonly isAssumed: boolean;
      readonly evidence: Evidence;
    }
  | { readonly problem: string };

/** Whether the key of one of these certificates signed the CRL. */
export const isSignedByOneOf = (crl: Crl, certificates: readonly Certificate[], checks: Checks): boolean =>
  certificates.some(
    (certificate) => sameName(certificate.subject, crl.issuer) && isSignedWith(crl, certificate, checks),
  );

/** Finds the signer of a CRL for the path's target (RFC 5280, 6.3.3 f and g). */
export async function findSigner(crl: Crl, path: Path, context: RevocationContext): Promise<Signer> {
  const above = path.slice(1);
  const { checks } = context.settings;
  const known = new Set([...above, ...context.candidates, path[0]]);
  const signers = [...known].filter(
    (one) => sameName(one.subject, crl.issuer) && isSignedWith(crl, one, checks),
  );
  let problem = `no certificate of ${displayNameOf(crl.issuer)} is at hand whose key signed it`;
  let assumed: Certificate | undefined;
  for (const signer of signers) {
    const objection = objectionTo(crl, signer, context);
    if (objection) problem = objection;
    else if (above.includes(signer)) return { certificate: signer, isAssumed: false, evidence: NO_EVIDENCE };
    else if (signer === path[0] || context.inProgress.has(signer.sha256)) assumed = signer;
    else {
      const found = await establishTrust(signer, path, context);
      if (!('problem' in found)) return found;
      problem = found.problem;
    }
  }
  return assumed ? { certificate: assumed, isAssumed: true, evidence: NO_EVIDENCE } : { problem };
}

function objectionTo(crl: Crl, signer: Certificate, { settings }: RevocationContext): string | undefined {
  const usages = keyUsage(signer);
  if (usages && !usages.has('cRLSign'))
    return `the key of ${displayName(signer)} is not for signing revocation lists`;
  const objection = algorithmObjection(crl, signer.publicKey, settings.algorithms);
  return objection && `it is signed ${objection}`;
}

/** A signer outside the path needs its own path to the same anchor and its own revocation check (RFC 5280, 6.3.3 f). */
async function establishTrust(signer: Certificate, path: Path, context: RevocationContext): Promise<Signer> {
  const anchor = path.at(-1) ?? path[0];
  const candidates = [...path.slice(1), ...context.candidates];
  const { atMs } = context;
  const { algorithms, checks } = context.settings;
  const { paths } = buildPaths(signer, { anchors: [anchor], candidates, atMs, checks });
  const settings = { atMs, algorithms, policies: {}, checks };
  const valid = paths.find((one) =>
    validatePath(one, settings)
      .flat()
      .every(({ outcome }) => outcome !== 'errors'),
  );
  if (!valid)
    return {
      problem: `no valid path leads from its signer, ${displayName(signer)}, to ${displayName(anchor)}`,
    };

  const inProgress = new Set([...context.inProgress, ...path.map(({ sha256 }) => sha256), signer.sha256]);
  const evidence: Evidence[] = [{ ...NO_EVIDENCE, signers: valid.slice(0, -1) }];
  // From the anchor down: an issuer is checked before its subjects.
  for (let i = valid.length - 2; i >= 0; i--) {
    const [certificate, ...rest] = valid.slice(i);
    if (!certificate || path.slice(1).includes(certificate)) continue;
    const outcome = await context.statusOf([certificate, ...rest], { ...context, inProgress });
    if (outcome.status !== 'good')
      return {
        problem: `the certificate of ${displayName(certificate)}, which it depends on, is ${statusWords[outcome.status]}`,
      };
    evidence.push(outcome.evidence);
  }
  return { certificate: signer, isAssumed: false, evidence: joinEvidence(evidence) };
}

const statusWords = { revoked: 'revoked', unknown: 'of unknown status' } as const;

function isSignedWith(what: Signed, by: Certificate, checks: Checks): boolean {
  try {
    return isChecked(what, by.publicKey, checks);
  } catch {
    return false; // an unsupported key
  }
}
