import type { Stored } from '../../../shared/store/collection.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { transition } from '../../../shared/store/state-machine.ts';
import { errors } from '../errors.ts';
import { ProviderFailure, type ProviderFailureReason } from './providers/provider-failure.ts';
import { type HubSession, sessions } from './session.ts';
import { sessionStates } from './session-states.ts';

const CODES = {
  unreachable: 'ProviderUnavailable',
  busy: 'ProviderUnavailable',
  timeout: 'ProviderTimeout',
  refused: 'ProviderRefused',
  unreadable: 'ProviderAnswerUnreadable',
  'wrong-signature': 'SignatureDoesNotMatchCertificate',
} as const satisfies Record<Exclude<ProviderFailureReason, 'token-rejected'>, string>;

/** What an operation that asks a session's provider may answer, for its declaration. */
export const PROVIDER_CODES = [
  'SessionExpired',
  'SessionInvalidOrAlreadyUsed',
  'NoValidCertificate',
  ...new Set(Object.values(CODES)),
] as const;

/**
 * What a client is told when its session's provider failed. A token that the provider takes no more ends the session
 * for good: it was used up there, or was taken back.
 */
export async function refusalAfter(
  session: Stored<HubSession>,
  error: unknown,
  now: () => number,
): Promise<unknown> {
  if (!(error instanceof ProviderFailure)) return error;
  if (error.reason !== 'token-rejected') return errors.refuse(CODES[error.reason]);
  await endRejected(session);
  return errors.refuse(now() >= session.expiresAtMs ? 'SessionExpired' : 'SessionInvalidOrAlreadyUsed');
}

async function endRejected(session: Stored<HubSession>): Promise<void> {
  try {
    await transition(sessions, sessionStates, session, 'rejected', {}, { anyVersion: true });
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error; // whoever was first has ended it, or is about to
  }
}
