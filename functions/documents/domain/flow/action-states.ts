import { stateMachine } from '../../../../shared/store/state-machine.ts';

/** One action of a flow. It waits as Created until every action of the steps before it is completed. */
export const actionStates = stateMachine({
  Created: { reached: 'Pending' },
  Pending: { partlyCompleted: 'Pending', completed: 'Completed', refused: 'Refused' },
  Completed: {},
  Refused: {},
});
