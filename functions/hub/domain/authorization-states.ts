import { type StateOf, stateMachine } from '../../../shared/store/state-machine.ts';

/** A user's visit to a provider. No event leads back to Pending, so that a state that came back once is of no more use. */
export const authorizationStates = stateMachine({
  Pending: { returned: 'Returned', denied: 'Denied', failed: 'Failed' },
  Returned: { failed: 'Failed' },
  Denied: {},
  Failed: {},
});

export type AuthorizationState = StateOf<typeof authorizationStates>;
