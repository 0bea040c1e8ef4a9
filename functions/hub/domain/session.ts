import { createHash } from 'node:crypto';
import { collection } from '../../../shared/store/collection.ts';
import { errors } from '../errors.ts';

/** A session at a provider, by the hash of its value: the value itself is known to the client alone. */
export type HubSession = {
  readonly valueHash: string;
  readonly customState: string | null;
  readonly expiresAtMs: number;
};

export const hashOfValue = (value: string): string => createHash('sha256').update(value).digest('hex');

export const sessions = collection<HubSession, string>({
  service: 'hub',
  name: 'session',
  id: (session) => session.valueHash,
  key: (valueHash) => ({ pk: `SESSION#${valueHash}`, sk: 'SESSION' }),
  indexed: (session) => ({ ttl: Math.ceil(session.expiresAtMs / 1000) + KEPT_AFTER_END_SECONDS }),
});

// While it is kept, an ended session is told apart from one that never was.
const KEPT_AFTER_END_SECONDS = 86_400;

/** The custom state outlives the session's use: only an unknown session is refused. */
export async function readCustomState(value: string): Promise<string | null> {
  const session = await sessions.get(hashOfValue(value));
  if (!session) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return session.customState;
}
