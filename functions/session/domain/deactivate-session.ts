import type { Caller } from '../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../shared/store/retry-on-conflict.ts';
import { errors } from '../errors.ts';
import { audit } from './audit.ts';
import { type ActiveSession, findSession, isActive, sessions } from './session.ts';
import { agents } from './workstations/agent.ts';
import { leaveTask } from './workstations/relay.ts';

type DeactivateSessionRequest = { readonly sessionId: string; readonly correlationId: string };

/**
 * Ends a session and deletes the secret that it rested on. An expired session is deleted too, although it is refused:
 * its last call may still run, and must not bring it back.
 */
export async function deactivateSession(
  caller: Caller,
  { sessionId, correlationId }: DeactivateSessionRequest,
  now: () => number,
) {
  const session = await deleteSession(sessionId);
  const nowMs = now();
  if (!session || !isActive(session, nowMs)) throw errors.refuse('SESSION_EXPIRED');
  const { cpf, binding } = session;
  const subject = { caller, correlationId, operation: 'session.deactivate', cpf } as const;
  return audit(subject, now, async () => {
    if (binding.custody === 'workstation') await forgetPin(binding, nowMs);
    return { cpf, sessionId, active: false, endedAt: new Date(nowMs).toISOString() };
  });
}

// A signing call renews the session at the same moment:
//
//   deactivate  |--reads v1-------- deletes v1: refused, reads v2, deletes v2 --|
//   sign            |--renews: v2--|
//
// A session that was replaced or ended meanwhile is not found any more.
const deleteSession = (sessionId: string): Promise<ActiveSession | undefined> =>
  retryOnConflict(async () => {
    const session = await findSession(sessionId);
    if (session) await sessions.delete(session);
    return session;
  });

// An agent that comes back later than this may serve a new session already.
const FORGET_WITHIN_MS = 600_000;

/**
 * Has a workstation drop the PIN in use with this certificate. Best effort: it reaches an agent that is online or comes
 * back soon. An agent that stays away keeps its PIN until its own idle limit, and the server asks it to sign nothing.
 */
export async function forgetPin(
  { agentId, sha256 }: { readonly agentId: string; readonly sha256: string },
  nowMs: number,
): Promise<void> {
  const agent = await agents.get(agentId);
  if (!agent?.certificates.some((each) => each.sha256 === sha256)) return;
  const content = { kind: 'forget-pin' } as const;
  await leaveTask({ agentId, contentFor: () => content, expiresAtMs: nowMs + FORGET_WITHIN_MS }, nowMs);
}
