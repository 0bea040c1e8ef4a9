import { stateMachine } from '../../../../shared/store/state-machine.ts';

/**
 * An upload is announced before its first byte is kept, so that one cut short is found again and collected.
 * Only one of `taken` and `expired` happens: a file that a document has is never collected.
 */
export const uploadStates = stateMachine({
  Receiving: { received: 'Received', expired: 'Collecting' },
  Received: { taken: 'Taken', expired: 'Collecting' },
  Taken: {},
  Collecting: {},
});
