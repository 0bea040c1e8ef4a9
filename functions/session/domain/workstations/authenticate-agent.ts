import { collection } from '../../../../shared/store/collection.ts';
import type { Stored } from '../../../../shared/store/collection-writes.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { publicKeyIn } from '../../../../shared/workstation/keys.ts';
import { isSignedBy, type RequestStamp, stampOf } from '../../../../shared/workstation/signed-request.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type Agent, agents } from './agent.ts';

export type SignedCall = {
  readonly method: string;
  /** Below the service's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

type Spent = { readonly agentId: string; readonly nonce: string; readonly keptUntilMs: number };

const nonces = collection<Spent, Pick<Spent, 'agentId' | 'nonce'>>({
  service: 'session',
  name: 'nonce',
  id: ({ agentId, nonce }) => ({ agentId, nonce }),
  key: ({ agentId, nonce }) => ({ pk: `NONCE#${agentId}#${nonce}`, sk: 'NONCE' }),
  indexed: ({ keptUntilMs }) => ({ ttl: Math.ceil(keptUntilMs / 1000) + 1 }),
});

const skewMs = (): number => settings['Agents:ClockSkew'] * 1000;

/**
 * The agent that signed this call. Whatever is wrong, an unknown agent, a disabled one, a forged, old or repeated
 * request, is one and the same refusal.
 */
export async function authenticateAgent(
  call: SignedCall,
  now = Date.now(),
): Promise<{ readonly agent: Stored<Agent> } & Pick<RequestStamp, 'nonce' | 'sentAtMs'>> {
  const stamp = requireFreshStamp(call, now);
  const agent = await agents.get(stamp.agentId);
  if (!agent || agent.disabled) throw errors.refuse('UNAUTHORIZED');
  requireSignature(call, stamp, agent.ed25519);
  // Spent last: a forged request must not use up an honest one's nonce, nor fill the table.
  await spend(stamp);
  return { agent, nonce: stamp.nonce, sentAtMs: stamp.sentAtMs };
}

/** The stamp of a call, if its moment is near enough for a repetition of it to be noticed. */
export function requireFreshStamp({ headers }: SignedCall, now = Date.now()): RequestStamp {
  const stamp = stampOf(headers);
  if (!stamp || Math.abs(now - stamp.sentAtMs) > skewMs()) throw errors.refuse('UNAUTHORIZED');
  return stamp;
}

export function requireSignature(call: SignedCall, stamp: RequestStamp, ed25519: string): void {
  const key = publicKeyIn(ed25519, 'ed25519');
  if (!key || !isSignedBy(key, { ...call, ...stamp }, stamp.signature)) throw errors.refuse('UNAUTHORIZED');
}

// A request is taken while its moment is within the skew, so its nonce is kept until that is over. A copy meets either
// the nonce or the clock:
//
//   request   |--taken, nonce kept--------------------------|
//   copy            refused: nonce               sentAt + skew | refused: too old
async function spend({ agentId, nonce, sentAtMs }: RequestStamp): Promise<void> {
  try {
    await nonces.create({ agentId, nonce, keptUntilMs: sentAtMs + skewMs() });
  } catch (error) {
    if (error instanceof AlreadyExists) throw errors.refuse('UNAUTHORIZED');
    throw error;
  }
}
