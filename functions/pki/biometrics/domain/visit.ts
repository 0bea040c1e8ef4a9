import { matchesSecret } from '../../../../shared/access/secrets.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { NotAllowed } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { type BioSession, readSession } from './session.ts';

/** The parts of every call of the session page: the session, and the secret in its address. */
export type PageRequest = { readonly sessionId: string; readonly token: string };

/** The session of a page. Refuses a wrong secret like an unknown id. */
export async function findVisitedSession(
  { sessionId, token }: PageRequest,
  nowMs: number,
): Promise<Stored<BioSession>> {
  const session = await readSession(sessionId, nowMs);
  if (!session || !matchesSecret(session.tokenHash, token)) throw errors.refuse('BadBioSessionToken');
  return session;
}

/** Runs one step of a session. Refuses a step that its state does not allow, or that another page took first. */
export async function runStep<T>(session: BioSession, nowMs: number, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof NotAllowed || error instanceof RaceLost)) throw error;
    if (nowMs >= session.expiresAtMs) throw errors.refuse('BioSessionExpired');
    throw errors.refuse('BadBioSessionOperation', { state: session.state });
  }
}
