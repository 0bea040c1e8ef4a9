import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';

/** A biometric session. Each try is begun, submitted and judged; what has ended is completed once, by its ticket. */
export const bioSessionStates = stateMachine({
  Open: { begun: 'Capturing', exhausted: 'Ended', aborted: 'Ended', expired: 'Ended' },
  Capturing: {
    begun: 'Capturing',
    submitted: 'Judging',
    interrupted: 'Open',
    exhausted: 'Ended',
    aborted: 'Ended',
    expired: 'Ended',
  },
  Judging: {
    passed: 'Ended',
    failed: 'Ended',
    again: 'Open',
    interrupted: 'Open',
    abandoned: 'Open',
  },
  Ended: { completed: 'Completed' },
  Completed: {},
});

export type BioSessionState = StateOf<typeof bioSessionStates>;
