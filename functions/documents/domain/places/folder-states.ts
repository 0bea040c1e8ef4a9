import { stateMachine } from '../../../../shared/store/state-machine.ts';

/** A folder that is being deleted takes nothing in any more; its documents go in the background, and then it. */
export const folderStates = stateMachine({
  Active: { deleted: 'Deleting' },
  Deleting: {},
});
