import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { shards } from '../../../../shared/store/shards.ts';
import { type StateOf, stateMachine, transition } from '../../../../shared/store/state-machine.ts';
import { settings } from '../../settings.ts';
import { deadlineIn } from '../deadline.ts';
import { cancelDocument, findDispatched, isConcluded, statusOf } from './platform.ts';
import { PlatformRefused } from './platform-call.ts';

/**
 * A document on its way through the signature service. Sending: it may or may not have arrived. Sent: it has arrived
 * and its id is known. The sweeper finds dispatches that were never closed and cancels their documents.
 */
export const dispatchStates = stateMachine({
  Sending: { arrived: 'Sent' },
  Sent: {},
});

/** The record that a document is under way. It holds nothing of the document itself. */
export type Dispatch = {
  readonly id: string;
  /** The signer's CPF: the platform finds a document whose id was lost by it. */
  readonly cpf: string;
  /** For the audit trail, where the call does not reach its end. Records of earlier versions have neither. */
  readonly caller?: Pick<Caller, 'application' | 'keyId'>;
  readonly correlationId?: string;
  readonly state: StateOf<typeof dispatchStates>;
  readonly documentId: string | null;
  readonly begunAtMs: number;
};

export type StoredDispatch = Stored<Dispatch>;

const dueShards = shards('DISPATCHES', 8);

/** The partitions of the due index that hold dispatches. The first has those of versions without shards. */
export const DUE_DISPATCHES: readonly string[] = ['DISPATCHES', ...dueShards.all];

export const dispatches = collection<Dispatch, string>({
  service: 'session',
  name: 'dispatch',
  id: ({ id }) => id,
  key: (id) => ({ pk: `DISPATCH#${id}`, sk: 'DISPATCH' }),
  indexed: ({ id, begunAtMs }) => ({
    duePk: dueShards.of(id),
    dueAt: begunAtMs + settings['Signing:StrandedAfter'] * 1000,
  }),
});

// The sweeper's knowledge when a process dies, step by step:
//
//   begun  |-- create --|  arrived  |-- start -- hash -- complete --|  closed
//   Sending: find by tag  Sent: cancel unless it was signed           nothing to do
//
// The sweeper comes after Signing:StrandedAfter, when no call can still be working on the document.

type DispatchRequest = { readonly cpf: string; readonly correlationId: string };

export const beginDispatch = (
  { application, keyId }: Caller,
  { cpf, correlationId }: DispatchRequest,
  nowMs: number,
): Promise<StoredDispatch> =>
  dispatches.create({
    id: randomUUID(),
    cpf,
    caller: { application, keyId },
    correlationId,
    state: 'Sending',
    documentId: null,
    begunAtMs: nowMs,
  });

export const markArrived = (dispatch: StoredDispatch, documentId: string): Promise<StoredDispatch> =>
  transition(dispatches, dispatchStates, dispatch, 'arrived', { documentId });

/** Deletes the record: nothing is left for the sweeper. */
export const closeDispatch = (dispatch: StoredDispatch): Promise<void> =>
  dispatches.delete(dispatch).catch((error: unknown) => {
    if (!(error instanceof RaceLost)) throw error;
  });

/** A document that a dispatch left at the signature service, and its state there now. */
export type FoundDocument = {
  readonly documentId: string;
  readonly isSigned: boolean;
  readonly isCanceled: boolean;
};

/** Cancels the documents that a dispatch left at the signature service, unless they were signed. */
export async function cancelDispatched(
  dispatch: StoredDispatch,
  now: () => number,
): Promise<readonly FoundDocument[]> {
  const deadline = deadlineIn(settings['Signing:SignerCancelBudget'] * 1000, now);
  const ids = dispatch.documentId === null ? await findDispatched(dispatch, deadline) : [dispatch.documentId];
  const found: FoundDocument[] = [];
  for (const documentId of ids) {
    const status = await statusOf(documentId, deadline).catch(orGone);
    const isCanceled = status === 'Pending';
    if (isCanceled) await cancelDocument(documentId, 'It was not signed in time.', now);
    found.push({ documentId, isSigned: isConcluded(status), isCanceled });
  }
  return found;
}

const orGone = (error: unknown): string => {
  if (error instanceof PlatformRefused && error.status === 404) return 'gone';
  throw error;
};
