import { stateMachine } from '../../../../shared/store/state-machine.ts';

/**
 * A session waits for one person, who signs every document or cancels. Its signed files are then made behind the
 * answer, all of them or none.
 */
export const signatureSessionStates = stateMachine({
  Pending: { signed: 'Processing', cancelled: 'UserCancelled', expired: 'Expired' },
  Processing: { filesMade: 'Completed', failed: 'ProcessingError' },
  Completed: {},
  UserCancelled: {},
  Expired: {},
  ProcessingError: {},
});
