import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';

/**
 * What becomes of a task for an agent. It is handed out and not removed: a function cannot see that the agent has hung
 * up. One that the agent does not have in hand at its next poll is handed out again.
 */
export const taskStates = stateMachine({
  Waiting: { handedOut: 'Taken', gaveUp: 'Expired' },
  Taken: { handedOut: 'Taken', answered: 'Done', gaveUp: 'Expired' },
  Done: {},
  Expired: {},
});

export type TaskState = StateOf<typeof taskStates>;
