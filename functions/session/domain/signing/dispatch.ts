import { randomUUID } from 'node:crypto';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { type StateOf, transition } from '../../../../shared/store/state-machine.ts';
import { settings } from '../../settings.ts';
import type { Actor } from '../audit.ts';
import { dispatchStates } from './dispatch-states.ts';

/** That a document is under way. It says nothing of the document itself: none is kept here. */
export type Dispatch = {
  readonly id: string;
  /** Whose signature it waits for: by this the service finds a document whose id was lost. */
  readonly cpf: string;
  /** Whose call it is, for the audit trail where the call does not come to its end. Earlier versions kept none. */
  readonly actor?: Actor;
  readonly state: StateOf<typeof dispatchStates>;
  readonly documentId: string | null;
  readonly begunAtMs: number;
};

export type StoredDispatch = Stored<Dispatch>;

export const DUE_DISPATCHES = 'DISPATCHES';

export const dispatches = collection<Dispatch, string>({
  service: 'session',
  name: 'dispatch',
  id: ({ id }) => id,
  key: (id) => ({ pk: `DISPATCH#${id}`, sk: 'DISPATCH' }),
  indexed: ({ begunAtMs }) => ({
    duePk: DUE_DISPATCHES,
    dueAt: begunAtMs + settings['Signing:StrandedAfter'] * 1000,
  }),
});

// What is known when the process ends, step by step:
//
//   begun  |-- document --|  arrived  |-- start -- hash -- complete --|  over
//   Sending: look by tag    Sent: cancel unless it was signed           nothing
//
// The sweeper comes after Signing:StrandedAfter, when no call can still be working on it.

export const beginDispatch = (
  cpf: string,
  { application, keyId, correlationId }: Actor,
  nowMs: number,
): Promise<StoredDispatch> =>
  dispatches.create({
    id: randomUUID(),
    cpf,
    actor: { application, keyId, correlationId },
    state: 'Sending',
    documentId: null,
    begunAtMs: nowMs,
  });

export const markArrived = (dispatch: StoredDispatch, documentId: string): Promise<StoredDispatch> =>
  transition(dispatches, dispatchStates, dispatch, 'arrived', { documentId });

/** Nothing is left to look after. */
export const closeDispatch = (dispatch: StoredDispatch): Promise<void> =>
  dispatches.delete(dispatch).catch((error: unknown) => {
    if (!(error instanceof RaceLost)) throw error;
  });
