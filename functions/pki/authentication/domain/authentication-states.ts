import { stateMachine } from '../../../../shared/store/state-machine.ts';

/**
 * A nonce from the moment it is given out to its one use. A bare nonce and a `state` are used in one step; a `token`
 * may be signed for by a page and finalized by the server that opened it.
 */
export const authenticationStates = stateMachine({
  Given: { completed: 'Used', signed: 'Signed' },
  Signed: { finalized: 'Used' },
  Used: {},
});
