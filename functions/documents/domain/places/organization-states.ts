import { stateMachine } from '../../../../shared/store/state-machine.ts';

/** One that is being deleted takes nothing in any more; what it holds goes in the background. What stays is its name, for the last invoice. */
export const organizationStates = stateMachine({
  Active: { deleted: 'Deleting' },
  Deleting: { emptied: 'Deleted' },
  Deleted: {},
});
