import { collection } from '../../../../shared/store/collection.ts';
import type { Stored } from '../../../../shared/store/collection-writes.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { publicKeyIn } from '../../../../shared/workstation/keys.ts';
import { isSignedBy, type RequestStamp, stampOf } from '../../../../shared/workstation/signed-request.ts';
import { errors } from '../../errors.ts';
import { type Agent, agents } from './agent.ts';

export type SignedCall = {
  readonly method: string;
  /** Below the service's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

type SpentNonce = { readonly agentId: string; readonly nonce: string; readonly keptUntilMs: number };

const nonces = collection<SpentNonce, Pick<SpentNonce, 'agentId' | 'nonce'>>({
  service: 'session',
  name: 'nonce',
  id: ({ agentId, nonce }) => ({ agentId, nonce }),
  key: ({ agentId, nonce }) => ({ pk: `NONCE#${agentId}#${nonce}`, sk: 'NONCE' }),
  indexed: ({ keptUntilMs }) => ({ ttl: Math.ceil(keptUntilMs / 1000) + 1 }),
});

// How far an agent's clock may be off. Nonces are kept for as long, to refuse replays.
const MAX_SKEW_MS = 60_000;

/**
 * The agent that signed this call. An unknown or disabled agent and a forged, old or repeated request all get the same
 * refusal.
 */
export async function authenticateAgent(
  call: SignedCall,
  nowMs: number,
): Promise<{ readonly agent: Stored<Agent> } & Pick<RequestStamp, 'nonce' | 'sentAtMs'>> {
  const stamp = requireFreshStamp(call, nowMs);
  const agent = await agents.get(stamp.agentId);
  if (!agent || agent.disabled) throw errors.refuse('UNAUTHORIZED');
  requireSignature(call, stamp, agent.ed25519);
  // Last: a forged request must not use up the nonce of an honest one, nor fill the table.
  await spendNonce(stamp);
  return { agent, nonce: stamp.nonce, sentAtMs: stamp.sentAtMs };
}

/** The stamp of a call. Refuses one whose time is too far off for a replay to be noticed. */
export function requireFreshStamp({ headers }: SignedCall, nowMs: number): RequestStamp {
  const stamp = stampOf(headers);
  if (!stamp || Math.abs(nowMs - stamp.sentAtMs) > MAX_SKEW_MS) throw errors.refuse('UNAUTHORIZED');
  return stamp;
}

export function requireSignature(call: SignedCall, stamp: RequestStamp, ed25519: string): void {
  const key = publicKeyIn(ed25519, 'ed25519');
  if (!key || !isSignedBy(key, { ...call, ...stamp }, stamp.signature)) throw errors.refuse('UNAUTHORIZED');
}

// Replay: a request is accepted while its time is within the skew, and its nonce is kept for as long. A copy fails by
// the nonce or by the clock:
//
//   request   |--accepted, nonce kept-----------------------|
//   copy            refused: nonce               sentAt + skew | refused: too old
async function spendNonce({ agentId, nonce, sentAtMs }: RequestStamp): Promise<void> {
  try {
    await nonces.create({ agentId, nonce, keptUntilMs: sentAtMs + MAX_SKEW_MS });
  } catch (error) {
    if (error instanceof AlreadyExists) throw errors.refuse('UNAUTHORIZED');
    throw error;
  }
}
