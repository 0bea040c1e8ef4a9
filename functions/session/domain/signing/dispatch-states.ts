import { stateMachine } from '../../../../shared/store/state-machine.ts';

/**
 * A document on its way through the signature service. Sending: it may or may not have arrived. Sent: it has arrived
 * and its id is known. What neither state ends is found by the sweeper and canceled there.
 */
export const dispatchStates = stateMachine({
  Sending: { arrived: 'Sent' },
  Sent: {},
});
