import { type StateOf, stateMachine } from '../store/state-machine.ts';

/** One event on its way to one webhook. Stopped: its webhook was removed before it arrived. */
export const deliveryStates = stateMachine({
  Pending: { confirmed: 'Confirmed', failed: 'Pending', exhausted: 'Exhausted', stopped: 'Stopped' },
  Confirmed: { replayed: 'Pending' },
  Exhausted: { replayed: 'Pending' },
  Stopped: {},
});

export type DeliveryState = StateOf<typeof deliveryStates>;
