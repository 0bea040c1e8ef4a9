import { stateMachine } from '../../../shared/store/state-machine.ts';

/** An upload is announced before its first byte is kept, so that one cut short is found again and collected. */
export const uploadStates = stateMachine({
  Receiving: { received: 'Received' },
  Received: {},
});
