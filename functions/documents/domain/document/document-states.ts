import { type EventOf, stateMachine } from '../../../../shared/store/state-machine.ts';

/**
 * A document's life. `acted` is a signature or an approval that leaves others to be waited for; `completed` is
 * the last one. What is concluded, canceled or expired stays so; a refused one may come back as a new version.
 */
export const documentStates = stateMachine({
  Pending: {
    acted: 'Pending',
    completed: 'FlowConcluded',
    refused: 'Refused',
    canceled: 'Canceled',
    expired: 'Expired',
    versioned: 'Pending',
    moved: 'Pending',
  },
  FlowConcluded: { concluded: 'Concluded', moved: 'FlowConcluded' },
  Refused: { versioned: 'Pending', canceled: 'Canceled', moved: 'Refused' },
  Concluded: { moved: 'Concluded' },
  Canceled: { moved: 'Canceled' },
  Expired: { moved: 'Expired' },
});

export type DocumentEvent = EventOf<typeof documentStates>;
