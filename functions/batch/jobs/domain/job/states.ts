import { type EventOf, type StateOf, stateMachine } from '../../../../../shared/store/state-machine.ts';

/**
 * The specification's table of job states. A retry changes no state: the failed job stays Failed, and a new job is
 * Queued.
 */
export const jobStates = stateMachine({
  Queued: { pickedUp: 'Processing', canceledByOperator: 'Canceled' },
  Processing: {
    signed: 'Verifying',
    failed: 'Failed',
    interrupted: 'Failed',
    approvalRequired: 'AwaitingApproval',
    dispatched: 'AwaitingSigner',
    // It never reached the key, so another worker may begin again (SignerFolder).
    returned: 'Queued',
    // The document moved on at the external service before this host signed (SignerFolder).
    movedOn: 'Canceled',
  },
  Verifying: { verified: 'Completed', failed: 'Failed', interrupted: 'Failed' },
  AwaitingApproval: {
    approved: 'Queued',
    rejectedByApprover: 'Canceled',
    approvalExpired: 'Canceled',
    canceledByOperator: 'Canceled',
  },
  AwaitingSigner: {
    concluded: 'Verifying',
    rejectedBySigner: 'Failed',
    signerTimedOut: 'Failed',
    signerUnreachable: 'Failed',
    canceledByOperator: 'Canceled',
  },
  Completed: {},
  Failed: {},
  Canceled: {},
});

export type JobState = StateOf<typeof jobStates>;
export type JobEvent = EventOf<typeof jobStates>;

/** A worker has the job, and a slot of its instance is taken. */
export const isInFlight = (state: JobState): boolean => jobStates.accepts(state, 'interrupted');
