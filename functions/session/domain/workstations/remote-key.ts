import type { SigningDigest } from '../../../../shared/signing/digest.ts';
import { isSignatureOfHash } from '../../../../shared/signing/key-verify.ts';
import { settings } from '../../settings.ts';
import { agents } from './agent.ts';
import { certificateHeldBy } from './certificates.ts';
import { relay } from './relay.ts';

type Wish = {
  readonly agentId: string;
  /** The certificate whose key signs. */
  readonly sha256: string;
  readonly digest: SigningDigest;
  readonly hash: Buffer;
  readonly deadlineAtMs: number;
};

export type SignHashResult =
  | { readonly kind: 'signed'; readonly signature: Buffer }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'offline' | 'timed-out' | 'not-cached' };

/** Has a workstation sign a hash, under the PIN that is in use there. One that is away may come back within the grace. */
export async function signHash({
  agentId,
  sha256,
  digest,
  hash,
  deadlineAtMs,
}: Wish): Promise<SignHashResult> {
  const agent = await agents.get(agentId);
  const certificate = agent && !agent.disabled ? await certificateHeldBy(agent, sha256) : undefined;
  if (!certificate) return { kind: 'refused', reason: 'The workstation does not hold the certificate.' };
  const answer = await relay({
    agentId,
    ask: () => ({ kind: 'sign-hash', sha256, digest, hash: hash.toString('base64') }),
    untilMs: Math.min(deadlineAtMs, Date.now() + settings['Signing:HashSignTimeout'] * 1000),
    absenceMs: settings['Signing:WorkstationReconnectGrace'] * 1000,
  });
  if (answer === 'absent') return { kind: 'offline' };
  if (answer === 'late') return { kind: 'timed-out' };
  if (answer.outcome === 'not-cached') return { kind: 'not-cached' };
  const signature = Buffer.from(answer.signature ?? '', 'base64');
  if (answer.outcome !== 'signed')
    return { kind: 'refused', reason: answer.reason ?? 'The workstation gave no reason.' };
  // A token that is broken, or a program that only says that it is an agent, must not put its bytes in a document.
  const holds = await isSignatureOfHash(certificate.publicKey, digest, hash, signature);
  return holds
    ? { kind: 'signed', signature }
    : { kind: 'refused', reason: "The workstation's signature is not the certificate's." };
}
