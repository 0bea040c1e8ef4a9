import { Refusal } from '../../../shared/errors/errors.ts';
import { logger } from '../../../shared/log/logger.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { type EventOf, transition } from '../../../shared/store/state-machine.ts';
import { errors } from '../errors.ts';
import type { Learned } from './certificate.ts';
import { ProviderFailure } from './providers/provider-failure.ts';
import { type HubSession, type OpenSession, sessionStates, sessions } from './session.ts';

// Two calls on a single-use session:
//
//   call 1  |--reads Usable--- claimed: InUse --|--signs at the provider--|--spent: Used
//   call 2     |--reads Usable---- refused --> SessionInvalidOrAlreadyUsed
//   killed  |--reads Usable--- claimed: InUse --|--signs… outcome unknown    (InUse for good: never signs twice)
//
// Only the call that claimed the session leads out of InUse, so the state alone is the fence. The version is not
// compared, because other calls may cache the holder's certificates in the same item.
const byState = { anyVersion: true } as const;

/**
 * Makes the one signature of a single-use session, in two writes. Where certainly none was made, the session is given
 * back, with the certificates that were learned: only then does another call need them.
 */
export async function runOnce<T>(
  session: OpenSession,
  sign: (keep: (learned: Learned) => void) => Promise<T>,
): Promise<T> {
  const claimed = await claim(session);
  let learned: Learned = {};
  try {
    const signature = await sign((certificates) => {
      learned = certificates;
    });
    await end(claimed, 'spent');
    return signature;
  } catch (error) {
    const event = eventAfter(error);
    await end(claimed, event, event === 'givenBack' ? learned : {});
    throw error;
  }
}

async function claim({ value: _, ...session }: OpenSession): Promise<Stored<HubSession>> {
  if (!sessionStates.accepts(session.state, 'claimed')) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return transition(sessions, sessionStates, session, 'claimed', {}, byState).catch((error: unknown) => {
    throw error instanceof RaceLost ? errors.refuse('SessionInvalidOrAlreadyUsed') : error;
  });
}

type EndEvent = Exclude<EventOf<typeof sessionStates>, 'claimed'>;

function eventAfter(error: unknown): EndEvent {
  // Our own refusals come before the provider is asked to sign.
  if (error instanceof Refusal) return 'givenBack';
  if (!(error instanceof ProviderFailure)) return 'spent';
  if (error.reason === 'token-rejected') return 'rejected';
  return error.mayHaveActed ? 'spent' : 'givenBack';
}

// A failed write must not lose the signature. A session that stays InUse cannot be used again either.
async function end(claimed: Stored<HubSession>, event: EndEvent, learned: Learned = {}): Promise<void> {
  try {
    await transition(sessions, sessionStates, claimed, event, learned, byState);
  } catch (error) {
    if (error instanceof RaceLost) return; // the provider rejected its token meanwhile: Used
    logger('hub').warn('A session stays in use: its state could not be written.', { event, error });
  }
}
