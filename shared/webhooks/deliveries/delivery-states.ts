import { type StateOf, stateMachine } from '../../store/state-machine.ts';

/** One event on its way to one webhook. What waits for a webhook when that is removed goes with it. */
export const deliveryStates = stateMachine({
  Pending: { confirmed: 'Confirmed', failed: 'Pending', exhausted: 'Exhausted' },
  Confirmed: { replayed: 'Pending' },
  Exhausted: { replayed: 'Pending' },
});

export type DeliveryState = StateOf<typeof deliveryStates>;
