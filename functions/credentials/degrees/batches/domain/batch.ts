import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Caller } from '../../../../../shared/access/caller.ts';
import type { Position } from '../../../../../shared/lines/split-lines.ts';
import type { LineError } from '../../../../../shared/lines/work-line.ts';
import { sending } from '../../../../../shared/queue/outbox.ts';
import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { canceling } from '../../../../../shared/store/due/message.ts';
import { type Entry, numberedList } from '../../../../../shared/store/lists/numbered-list.ts';
import { type StateOf, stateMachine } from '../../../../../shared/store/state-machine.ts';
import { errors } from '../../../errors.ts';
import { isInScope } from '../../../tenants/domain/organization.ts';

export const batchStates = stateMachine({
  Created: { begun: 'Running', ended: 'Finished' },
  Running: { ended: 'Finished' },
  Finished: {},
});

/** A file of degrees to create, one on a line. Its position and counts are those of the last checkpoint. */
export type DegreeBatch = Position & {
  readonly id: string;
  /** Whose keys see it. */
  readonly organizationId: string;
  readonly application: string;
  /** Who sent it, where it was no application: the history of its degrees names them. */
  readonly person?: Caller['person'];
  /** The organizations of the key when the batch was sent: its lines name institutes of these. */
  readonly scope: readonly string[];
  readonly state: StateOf<typeof batchStates>;
  /** The key of its file, which is removed when the batch is finished. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Lines that are not blank. */
  readonly lines: number;
  readonly created: number;
  readonly failed: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** The errors of a batch are counted from 1 in the order of their lines, so that each page of them is read by key. */
type NumberedError = LineError & { readonly batchId: string; readonly number: number };

export const batches = collection<DegreeBatch, string>({
  service: 'credentials',
  name: 'batch',
  id: ({ id }) => id,
  key: (id) => ({ pk: `DEGREE_BATCH#${id}`, sk: 'BATCH' }),
});

export const lineErrors = collection<NumberedError, Pick<NumberedError, 'batchId' | 'number'>>({
  service: 'credentials',
  name: 'error of a batch',
  id: ({ batchId, number }) => ({ batchId, number }),
  key: ({ batchId, number }) => ({ pk: `DEGREE_BATCH_ERROR#${batchId}#${number}`, sk: 'ERROR' }),
});

/** The batches of an organization, newest first; all, or those of one state. */
export const batchList = (organizationId: string, state?: string) =>
  numberedList({
    service: 'credentials',
    name: `degree-batch/${organizationId}`,
    ...(state && { views: [state] }),
  });

const entryOf = ({ id, createdAtMs, state }: DegreeBatch): Entry => ({
  id,
  atMs: createdAtMs,
  views: [state],
});

/** The changes of its list for a batch that is created (no before) or changed. */
export const changingBatchList = (before: DegreeBatch | undefined, after: DegreeBatch) =>
  batchList(after.organizationId).changing(before && entryOf(before), entryOf(after));

/** A batch of an organization of the key's scope. Any other does not exist. */
export async function requireBatch(
  caller: Pick<Caller, 'registered'>,
  id: string,
): Promise<Stored<DegreeBatch>> {
  const found = await batches.get(id);
  if (found && isInScope(caller, found.organizationId)) return found;
  throw errors.refuse('BatchNotFound', { resourceName: 'Batch', resourceId: id });
}

/** Batches have a queue of their own, so that they delay no other task. */
export const BATCHES_QUEUE = 'batches';

export const BatchMessage = z.object({ batchId: z.string() });

const messageIdOf = (batchId: string): string => `degree-batch:${batchId}`;

/** Asks for work on a batch, now or at a time. A later one of the same batch replaces it. */
export const batchMessage = (batchId: string, dueAtMs?: number) =>
  sending({
    service: 'credentials',
    queue: BATCHES_QUEUE,
    body: { batchId } satisfies z.infer<typeof BatchMessage>,
    id: messageIdOf(batchId),
    dueAtMs,
  });

export const cancelingBatchMessage = (batchId: string) => canceling('credentials', messageIdOf(batchId));

/** The id of the degree of a line: the same in every run, so that the line is created once. RFC 9562, version 8. */
export function degreeIdOf(batchId: string, line: number): string {
  const bytes = createHash('sha256').update(`${batchId}:${line}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
