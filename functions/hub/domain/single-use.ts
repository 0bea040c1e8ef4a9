import { Refusal } from '../../../shared/errors/errors.ts';
import { logger } from '../../../shared/log/logger.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { transition } from '../../../shared/store/state-machine.ts';
import { errors } from '../errors.ts';
import { ProviderFailure } from './providers/provider-failure.ts';
import { type HubSession, type OpenSession, sessions } from './session.ts';
import { sessionStates } from './session-states.ts';

// Two calls on a session that takes one:
//
//   call 1  |--reads Usable--- claimed: InUse --|--signs at the provider--|--spent: Used
//   call 2     |--reads Usable---- refused --> SessionInvalidOrAlreadyUsed
//   killed  |--reads Usable--- claimed: InUse --|--signs… nobody knows    (InUse for good: never signed with twice)
//
// Only the call that claimed it leads back from InUse, so that the state alone is the fence. Others may meanwhile keep
// the holder's certificates in the same item, so that the version is not asked for.
const byState = { anyVersion: true } as const;

/** Runs the one signature that a session is good for. Where certainly none was made, the session is given back. */
export async function runOnce<T>(session: OpenSession, sign: () => Promise<T>): Promise<T> {
  const claimed = await claim(session);
  try {
    const signature = await sign();
    await end(claimed, 'spent');
    return signature;
  } catch (error) {
    await end(claimed, fateAfter(error));
    throw error;
  }
}

async function claim({ value: _, ...session }: OpenSession): Promise<Stored<HubSession>> {
  if (!sessionStates.allows(session.state, 'claimed')) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return transition(sessions, sessionStates, session, 'claimed', {}, byState).catch((error: unknown) => {
    throw error instanceof RaceLost ? errors.refuse('SessionInvalidOrAlreadyUsed') : error;
  });
}

type Fate = 'spent' | 'givenBack' | 'rejected';

function fateAfter(error: unknown): Fate {
  // Our own refusals come before the provider is asked to sign.
  if (error instanceof Refusal) return 'givenBack';
  if (!(error instanceof ProviderFailure)) return 'spent';
  if (error.reason === 'token-rejected') return 'rejected';
  return error.mayHaveActed ? 'spent' : 'givenBack';
}

// The signature that was made is worth more than this write: a session that stays InUse is used by nobody either.
async function end(claimed: Stored<HubSession>, fate: Fate): Promise<void> {
  try {
    await transition(sessions, sessionStates, claimed, fate, {}, byState);
  } catch (error) {
    if (error instanceof RaceLost) return; // the provider rejected its token meanwhile: Used
    logger('hub').warn('A session stays in use: its state could not be written.', { fate, error });
  }
}
