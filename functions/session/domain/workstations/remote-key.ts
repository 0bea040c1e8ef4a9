import type { SigningDigest } from '../../../../shared/signing/digest.ts';
import { isSignatureOfHash } from '../../../../shared/signing/key-verify.ts';
import { settings } from '../../settings.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { agents } from './agent.ts';
import { certificateHeldBy } from './certificates.ts';
import { relay } from './relay.ts';

export type SignHashRequest = {
  readonly agentId: string;
  /** The certificate whose key signs. */
  readonly sha256: string;
  readonly digest: SigningDigest;
  readonly hash: Buffer;
  readonly deadline: Deadline;
};

export type SignHashResult =
  | { readonly kind: 'signed'; readonly signature: Buffer }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'offline' | 'timed-out' | 'not-cached' };

/** Has a workstation sign a hash under the PIN in use there. A workstation that is away may return within the grace. */
export async function signHash(request: SignHashRequest): Promise<SignHashResult> {
  const { agentId, sha256, digest, hash, deadline } = request;
  const agent = await agents.get(agentId);
  const certificate = agent && !agent.disabled ? await certificateHeldBy(agent, sha256) : undefined;
  if (!certificate) return { kind: 'refused', reason: 'The workstation does not hold the certificate.' };
  const answer = await relay({
    agentId,
    contentFor: () => ({ kind: 'sign-hash', sha256, digest, hash: hash.toString('base64') }),
    ...waitOf(deadline),
  });
  if (answer === 'absent') return { kind: 'offline' };
  if (answer === 'late') return { kind: 'timed-out' };
  if (answer.outcome === 'not-cached') return { kind: 'not-cached' };
  const signature = Buffer.from(answer.signature ?? '', 'base64');
  if (answer.outcome !== 'signed')
    return { kind: 'refused', reason: answer.reason ?? 'The workstation gave no reason.' };
  // A broken token, or a program that only claims to be an agent, must not put its bytes into a document.
  const holds = await isSignatureOfHash(certificate.publicKey, digest, hash, signature);
  return holds
    ? { kind: 'signed', signature }
    : { kind: 'refused', reason: "The workstation's signature is not the certificate's." };
}

/** Asks an agent whether a PIN is in use there. Its last poll may be older than the holder's answer to a prompt. */
export async function checkPin(
  agentId: string,
  deadline: Deadline,
): Promise<'in-use' | 'not-cached' | 'offline'> {
  const answer = await relay({
    agentId,
    contentFor: () => ({ kind: 'check-pin' }),
    ...waitOf(deadline),
  });
  if (answer === 'absent' || answer === 'late') return 'offline';
  return answer.outcome === 'in-use' ? 'in-use' : 'not-cached';
}

function waitOf({ atMs, now }: Deadline) {
  const own = deadlineIn(settings['Signing:HashSignTimeout'] * 1000, now);
  return {
    deadline: { atMs: Math.min(atMs, own.atMs), now },
    absenceMs: settings['Signing:WorkstationReconnectGrace'] * 1000,
  };
}
