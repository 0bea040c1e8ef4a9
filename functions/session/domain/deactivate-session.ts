import { RaceLost } from '../../../shared/store/refusals.ts';
import { errors } from '../errors.ts';
import { type Actor, audit } from './audit.ts';
import { findSession, isActive, sessions } from './session.ts';
import { forgetPin } from './workstations/forget-pin.ts';

/**
 * Ends a session and drops what it rested on. A second time there is nothing to end. One that is over without having
 * been ended is removed all the same: its last call may be under way, and must not bring it back.
 */
export async function deactivateSession(sessionId: string, actor: Actor, nowMs = Date.now()) {
  const session = await remove(sessionId);
  if (!session || !isActive(session, nowMs)) throw errors.refuse('SESSION_EXPIRED');
  const { cpf, binding } = session;
  return audit({ actor, operation: 'session.deactivate', cpf }, async () => {
    if (binding.custody === 'workstation') await forgetPin(binding);
    return { cpf, sessionId, active: false, endedAt: new Date(nowMs).toISOString() };
  });
}

// A sign extends the session at the same moment:
//
//   deactivate  |--reads v1-------- deletes v1: refused, reads v2, deletes v2 --|
//   sign            |--extends: v2--|
//
// Only one that was replaced or ended is nobody's to end any more.
async function remove(sessionId: string) {
  for (;;) {
    const session = await findSession(sessionId);
    if (!session) return undefined;
    try {
      await sessions.delete(session);
      return session;
    } catch (error) {
      if (!(error instanceof RaceLost)) throw error;
    }
  }
}
