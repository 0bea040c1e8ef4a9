import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { isConcluded } from '../../../../shared/platform/documents.ts';
import { PlatformRefused } from '../../../../shared/platform/errors.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { type Repeatable, repeatable } from '../../../../shared/store/kept-answers.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { shards } from '../../../../shared/store/shards.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { deadlineIn } from '../deadline.ts';
import { cancelDocument, findDispatched, platform } from './platform.ts';

/**
 * The record that a document is on its way through the signature service. It holds nothing of the document itself. It
 * is written before the document is created there and deleted with the end of its call, so the sweeper finds the
 * documents of calls that never reached their end.
 */
export type Dispatch = {
  /** Tags the document at the signature service. */
  readonly id: string;
  /** The signer's CPF: documents are searched by it. */
  readonly cpf: string;
  /** For the audit trail, where the call does not reach its end. */
  readonly caller: Pick<Caller, 'application' | 'keyId'>;
  readonly correlationId: string;
  /** Of a document whose end its call did not learn. The record of a call that was killed has none. */
  readonly documentId?: string | null;
  /** Of a call that may be sent again: who does finds its answer, or its dispatch. */
  readonly repeatable?: Repeatable;
  readonly begunAtMs: number;
};

export type StoredDispatch = Stored<Dispatch>;

const dueShards = shards('DISPATCHES', 8);

/** The partitions of the due index that hold dispatches. */
export const DUE_DISPATCHES: readonly string[] = dueShards.all;

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
//   begun  |-- create -- start -- hash -- complete --|  closed
//          find by tag: cancel unless it was signed     nothing to do
//
// The sweeper comes after Signing:StrandedAfter, when no call can still be working on the document.

type DispatchRequest = { readonly cpf: string; readonly correlationId: string };

const newDispatch = (
  { application, keyId }: Caller,
  { cpf, correlationId }: DispatchRequest,
  nowMs: number,
): Dispatch => ({
  id: randomUUID(),
  cpf,
  caller: { application, keyId },
  correlationId,
  begunAtMs: nowMs,
});

// As many as a GUID has: platforms bound the tags of documents.
const ID_LENGTH = 32;
const UNDER_WAY = { reason: 'A request with this Idempotency-Key is under way. Send it again in a minute.' };

/** Records that a document is about to be created. The dispatch of a request that is sent again exists until it ended. */
export async function beginDispatch(
  caller: Caller,
  request: DispatchRequest,
  nowMs: number,
): Promise<StoredDispatch> {
  const dispatch = newDispatch(caller, request, nowMs);
  const again = repeatable();
  if (!again) return dispatches.create(dispatch);
  return dispatches
    .create({ ...dispatch, id: again.id.slice(0, ID_LENGTH), repeatable: again })
    .catch((error: unknown) => {
      throw error instanceof AlreadyExists ? errors.refuse('SERVER_BUSY', UNDER_WAY) : error;
    });
}

// DynamoDB takes no more in one transaction.
const MAX_BEGUN_AT_ONCE = 100;

/** The same for several documents of one call. */
export async function beginDispatches(
  caller: Caller,
  { count, ...request }: DispatchRequest & { readonly count: number },
  nowMs: number,
): Promise<readonly StoredDispatch[]> {
  const writes = Array.from({ length: count }, () =>
    dispatches.creating(newDispatch(caller, request, nowMs)),
  );
  for (let from = 0; from < count; from += MAX_BEGUN_AT_ONCE)
    await commit(writes.slice(from, from + MAX_BEGUN_AT_ONCE));
  return writes.map(({ after }) => after);
}

/** Deletes the record: nothing is left for the sweeper. `also` is written with it. */
export const closeDispatch = (dispatch: StoredDispatch, also: readonly Write[] = []): Promise<void> =>
  dispatches.delete(dispatch, { also }).catch(ifThrown(RaceLost));

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
  const ids = dispatch.documentId ? [dispatch.documentId] : await findDispatched(dispatch, deadline);
  const found: FoundDocument[] = [];
  for (const documentId of ids) {
    const status = await platform.statusOf(documentId, deadline).catch(orGone);
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
