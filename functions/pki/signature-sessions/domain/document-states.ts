import { stateMachine } from '../../../../shared/store/state-machine.ts';

/** A document of a session is signed once. It is complete when its session is. */
export const sessionDocumentStates = stateMachine({
  Pending: { signatureGiven: 'Signed' },
  Signed: { fileMade: 'Completed' },
  Completed: {},
});
