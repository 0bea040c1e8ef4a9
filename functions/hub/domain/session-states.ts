import { type StateOf, stateMachine } from '../../../shared/store/state-machine.ts';

/** A session as far as its use goes; when it expires is a matter of time alone. */
export const sessionStates = stateMachine({
  Usable: { claimed: 'InUse', rejected: 'Used' },
  InUse: { givenBack: 'Usable', spent: 'Used', rejected: 'Used' },
  Used: {},
});

export type SessionState = StateOf<typeof sessionStates>;
