import { collection } from '../../../shared/store/collection.ts';
import { isSecret, partsOf } from './session-id.ts';

/** The one session of a CPF. Creating another replaces it, because there is one item to write. */
export type Session = {
  readonly locator: string;
  readonly cpf: string;
  readonly secretHash: string;
  readonly expiresAtMs: number;
};

export const sessions = collection<Session, string>({
  service: 'session',
  name: 'session',
  id: (session) => session.locator,
  key: (locator) => ({ pk: `SESSION#${locator}`, sk: 'SESSION' }),
  indexed: (session) => ({ ttl: Math.ceil(session.expiresAtMs / 1000) }),
});

/**
 * The session that this id names, if it is active. Expired, deactivated and replaced ones are simply not there:
 * no answer tells them apart.
 */
export async function findActiveSession(id: string, now = Date.now()): Promise<Session | undefined> {
  const parts = partsOf(id);
  const found = parts && (await sessions.get(parts.locator));
  if (!found || !isSecret(parts.secret, found.secretHash)) return undefined;
  return found.expiresAtMs > now ? found : undefined;
}
