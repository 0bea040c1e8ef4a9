import { stateMachine } from '../../../shared/store/state-machine.ts';

/** A single flag: pausing what is paused, or resuming what runs, changes nothing. */
export const pipelineStates = stateMachine({
  Running: { paused: 'Paused' },
  Paused: { resumed: 'Running' },
});
