import { matchesSecret } from '../../../../shared/access/secrets.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { NotAllowed } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { type BioSession, readSession } from './session.ts';

/** What a call of the session page carries: the session by its address, and the secret in it. */
export type Visit = { readonly sessionId: string; readonly token: string };

/** The session of a visitor who has its address. Without the secret there is none, whatever the id. */
export async function visited({ sessionId, token }: Visit, nowMs: number): Promise<Stored<BioSession>> {
  const session = await readSession(sessionId, nowMs);
  if (!session || !matchesSecret(session.tokenHash, token)) throw errors.refuse('BadBioSessionToken');
  return session;
}

/** Runs one step of a session. What its state does not allow, and what another page did first, is refused by name. */
export async function stepOf<T>(session: BioSession, nowMs: number, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof NotAllowed || error instanceof RaceLost)) throw error;
    if (nowMs >= session.expiresAtMs) throw errors.refuse('BioSessionExpired');
    throw errors.refuse('BadBioSessionOperation', { state: session.state });
  }
}
