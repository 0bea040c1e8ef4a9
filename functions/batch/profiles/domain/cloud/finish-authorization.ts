import { AdminRefusal } from '../../../../../shared/access/administration.ts';
import type { Deadline } from '../../../../../shared/async/deadline.ts';
import type { HeldCertificate } from '../../../../../shared/hub/client.ts';
import { PublicKeyUnsupported } from '../../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { createSignerJudge } from '../../../../../shared/pki/verdict/certificate-judge.ts';
import { SigningRefused } from '../../../../../shared/signing/errors.ts';
import { checkKey } from '../../../../../shared/signing/key.ts';
import { cloud } from '../../../config/hub.ts';
import { settings } from '../../../settings.ts';
import { setCloudAuthorization } from '../change-profile.ts';
import type { CloudCertificate } from '../profile.ts';
import { sealCloudSession } from '../secrets.ts';
import { type PendingAuthorization, takePending } from './pending-authorization.ts';

export type AuthorizationReturn = {
  /** The hub's session; undefined where the holder was sent back with an error. */
  readonly session: string | undefined;
  readonly operatorCookie: string;
  /** Who the operator is, for the event. */
  readonly by: string;
};

/** Why a return authorized nothing. */
export type ReturnProblem =
  | 'provider-failed'
  | 'authorization-unknown'
  | 'other-holder'
  | 'other-certificate'
  | 'certificate-unusable'
  | 'profile-changed';

/** The profile where it is known, and null as the problem once it is authorized. */
export type AuthorizationResult = {
  readonly profileName: string | null;
  readonly problem: ReturnProblem | null;
};

const judgeSigner = createSignerJudge('batch', settings);

/** Seals the session that a holder came back with into the profile that it was begun for. */
export async function finishAuthorization(
  { session, operatorCookie, by }: AuthorizationReturn,
  deadline: Deadline,
): Promise<AuthorizationResult> {
  if (session === undefined) return { profileName: null, problem: 'provider-failed' };
  const pending = await findPending(session, operatorCookie, deadline);
  if (typeof pending === 'string') return { profileName: null, problem: pending };
  const { profileName } = pending;
  try {
    return { profileName, problem: await authorize(by, pending, session, deadline) };
  } catch (error) {
    if (error instanceof AdminRefusal) return { profileName, problem: 'profile-changed' };
    cloud.logFailure(error, { profileName });
    return { profileName, problem: 'provider-failed' };
  }
}

async function findPending(
  session: string,
  operatorCookie: string,
  deadline: Deadline,
): Promise<PendingAuthorization | ReturnProblem> {
  const state = await cloud.stateOf(session, {}, deadline);
  if (state === undefined) return 'provider-failed';
  return (await takePending({ state, operatorCookie }, deadline.now())) ?? 'authorization-unknown';
}

async function authorize(
  by: string,
  { profileName, cloudCertificate, createdAtMs, lifetimeSeconds }: PendingAuthorization,
  session: string,
  deadline: Deadline,
): Promise<ReturnProblem | null> {
  const held = await cloud.hub.certificateOf(session, deadline);
  const problem = problemOf(cloudCertificate, held);
  if (problem) return problem;
  const { path } = await judgeSigner(held.certificate, deadline.now());
  const authorization = {
    sealedSession: await sealCloudSession(profileName, session),
    certificate: Uint8Array.from(held.certificate.der),
    chain: path.slice(1).map(({ der }) => Uint8Array.from(der)),
    alias: held.alias,
    // The hub does not tell when a session ends. Its lifetime counts from its creation, a moment after this.
    expiresAtMs: createdAtMs + lifetimeSeconds * 1000,
  };
  await setCloudAuthorization(by, profileName, { cloudCertificate, authorization }, deadline.now());
  return null;
}

/** Impersonation: a holder may have authorized with another account than the one that was asked for. */
function problemOf(
  { identifier, certificateAlias }: CloudCertificate,
  { certificate, alias }: HeldCertificate,
): ReturnProblem | undefined {
  const { cpf, cnpj, holder } = icpBrasilIdentity(certificate);
  if (identifier !== (holder === 'company' ? cnpj : cpf)) return 'other-holder';
  if (certificateAlias !== undefined && certificateAlias !== alias) return 'other-certificate';
  try {
    checkKey(certificate.publicKey);
    return undefined;
  } catch (error) {
    if (error instanceof SigningRefused || error instanceof PublicKeyUnsupported)
      return 'certificate-unusable';
    throw error;
  }
}
