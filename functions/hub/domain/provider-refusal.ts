import { ifThrown } from '../../../shared/errors/expected.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { transition } from '../../../shared/store/state-machine.ts';
import { errors } from '../errors.ts';
import { ProviderFailure, type ProviderFailureReason } from './providers/provider-failure.ts';
import { type HubSession, sessionStates, sessions } from './session.ts';

const CODES = {
  unreachable: 'ProviderUnavailable',
  busy: 'ProviderUnavailable',
  timeout: 'ProviderTimeout',
  refused: 'ProviderRefused',
  unreadable: 'ProviderAnswerUnreadable',
  'wrong-signature': 'SignatureDoesNotMatchCertificate',
} as const satisfies Record<Exclude<ProviderFailureReason, 'token-rejected'>, string>;

/** The codes of every operation that calls the provider of a session, for its declaration. */
export const PROVIDER_CODES = [
  'SessionExpired',
  'SessionInvalidOrAlreadyUsed',
  'NoValidCertificate',
  ...new Set(Object.values(CODES)),
] as const;

/**
 * The refusal for a failure of the session's provider. Any other error is returned as it is. A rejected token ends the
 * session for good: it was used up at the provider, or revoked there.
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
  // Another call may have ended it.
  await transition(sessions, sessionStates, session, 'rejected', {}, { anyVersion: true }).catch(
    ifThrown(RaceLost),
  );
}
