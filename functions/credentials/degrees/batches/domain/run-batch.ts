import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { files } from '../../../../../shared/files/files.ts';
import { FileGone } from '../../../../../shared/files/stored-file.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import { gatherMessages } from '../../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { items } from '../../../items/domain/item.ts';
import { settings } from '../../../settings.ts';
import {
  batches,
  batchMessage,
  batchStates,
  cancelingBatchMessage,
  changingBatchList,
  type DegreeBatch,
  degreeIdOf,
  type LineError,
  lineErrors,
} from './batch.ts';
import { createLine, type LineContext } from './create-line.ts';
import { type Line, lineSplitter } from './split-lines.ts';

/** A run ends after so long, and a further message goes on. Its function has 300 s. */
const RUN_MS = 120_000;
/** The store is waited for a little longer. */
const PATIENCE_MS = 60_000;
/** Without a checkpoint for so long its worker is taken for dead, and the sweeper sends the batch to another. */
const STALLED_AFTER_MS = 60_000;

// Each line is two files and a transaction: 32 of a client's 50 connections.
const LINES_AT_ONCE = 16;

// A checkpoint is one transaction, at most 100 items: the batch, its list, its message, and the errors of its lines,
// which may be those of the lines under way beyond the limit. A chunk is as long as the work that a kill repeats.
const MAX_LINES = 400;
const MAX_ERRORS = 60;
const MAX_CHUNK_MS = 10_000;

const BLOCK_BYTES = 1_048_576;

export type RunOptions = Pick<LineContext, 'readLine' | 'now' | 'logger'>;

// Counts, position and errors change together at a checkpoint, and nowhere else:
//
//   worker 1  |--lines 1 to 400--|checkpoint 400|--lines 401 to 520-- killed
//   worker 2                                                          |--401 to 520: exist--521 to 800--|checkpoint 800|
//
// SQS may deliver a message twice. Both workers create the same ids, and one of them writes the checkpoint:
//
//   worker 1  |--reads 400--lines 401 to 800--|checkpoint 800|--...
//   worker 2    |--reads 400--lines 401 to 800-----|checkpoint: refused, stops

/** Works through a batch from its last checkpoint on. Running it twice does no harm. */
export async function runBatch(
  batchId: string,
  { readLine, now, logger }: RunOptions,
): Promise<'done' | 'finished' | 'more' | 'overtaken'> {
  let batch = await batches.get(batchId);
  if (!batch || batchStates.isTerminal(batch.state)) return 'done';
  const endsAtMs = now() + RUN_MS;
  const messages = gatherMessages();
  const context = { batch, readLine, messages, deadlineAtMs: endsAtMs + PATIENCE_MS, now, logger };
  const lines = readLines(batch);
  let known = await findCreated(batch);
  try {
    for (;;) {
      const chunk = await runChunk(context, lines, known);
      known = new Set();
      const goesOn = now() < endsAtMs;
      const saved = await saveCheckpoint(batch, chunk, goesOn, now());
      if (!saved) return 'overtaken';
      if (batchStates.isTerminal(saved.state)) return await endBatch(saved, logger);
      if (!goesOn) return 'more';
      batch = saved;
    }
  } finally {
    await messages.sendGathered();
  }
}

/** The lines after the last checkpoint. Each block is a request of its own: no connection waits while lines are created. */
async function* readLines({ file, bytes, line, offset }: DegreeBatch): AsyncGenerator<Line> {
  const splitter = lineSplitter({ maxLineBytes: settings['Batches:MaxLineBytes'], from: { line, offset } });
  for (let from = offset; from < bytes; ) {
    const block = await files('credentials').readRange(file, { from, length: BLOCK_BYTES });
    if (!block) throw new FileGone(file);
    from += block.length;
    yield* splitter.push(block);
  }
  yield* splitter.end();
}

/** The degrees of the next lines that a killed worker has created after the last checkpoint. */
async function findCreated({ id, line }: DegreeBatch): Promise<ReadonlySet<string>> {
  const next = Array.from({ length: MAX_LINES }, (_, n) => degreeIdOf(id, line + 1 + n));
  const found = await items.getMany(next.map((degreeId) => ({ kind: 'degree' as const, id: degreeId })));
  return new Set(found.map((degree) => degree.id));
}

type Chunk = {
  /** The last line of it, if it has any. */
  readonly last: Line | undefined;
  readonly created: number;
  readonly errors: readonly LineError[];
  readonly isLast: boolean;
};

async function runChunk(
  context: LineContext,
  lines: AsyncIterator<Line>,
  known: ReadonlySet<string>,
): Promise<Chunk> {
  const errors: LineError[] = [];
  const endsAtMs = context.now() + MAX_CHUNK_MS;
  let last: Line | undefined;
  let [taken, created, isLast] = [0, 0, false];
  async function* take(): AsyncGenerator<Line> {
    while (taken < MAX_LINES && errors.length < MAX_ERRORS && context.now() < endsAtMs) {
      const next = await lines.next();
      if (next.done) {
        isLast = true;
        return;
      }
      taken += 1;
      last = next.value;
      if (!last.isBlank) yield last;
    }
  }
  await forEachConcurrently(LINES_AT_ONCE, take(), async (line) => {
    const isCreated = known.has(degreeIdOf(context.batch.id, line.number));
    const error = isCreated ? undefined : await createLine(context, line);
    if (error) errors.push(error);
    else created += 1;
  });
  return { last, created, errors: errors.toSorted((a, b) => a.line - b.line), isLast };
}

/** Undefined when another worker was faster: it goes on. */
async function saveCheckpoint(
  batch: Stored<DegreeBatch>,
  { last, created, errors, isLast }: Chunk,
  goesOn: boolean,
  nowMs: number,
): Promise<Stored<DegreeBatch> | undefined> {
  const change = batches.changing(batch, {
    ...(last && { line: last.number, offset: last.end }),
    state: batchStates.next(batch.state, isLast ? 'ended' : 'begun') ?? batch.state,
    created: batch.created + created,
    failed: batch.failed + errors.length,
    updatedAtMs: nowMs,
  });
  const { id: batchId } = batch;
  const numbered = errors.map((error, n) =>
    lineErrors.putting({ ...error, batchId, number: batch.failed + 1 + n }),
  );
  const writes = [
    change,
    ...changingBatchList(batch, change.after),
    ...numbered,
    isLast
      ? cancelingBatchMessage(batchId)
      : batchMessage(batchId, goesOn ? nowMs + STALLED_AFTER_MS : undefined),
  ];
  try {
    await commit(writes);
  } catch (error) {
    const current = error instanceof RaceLost ? await batches.get(batchId) : undefined;
    if (current && current.version !== batch.version) return undefined;
    throw error;
  }
  return change.after;
}

/** The lines hold names and CPFs of people: the file is not kept. One that stays is removed by the bucket's own rule. */
async function endBatch({ id: batchId, file }: DegreeBatch, logger: Logger): Promise<'finished'> {
  await files('credentials')
    .remove(file)
    .catch((error: unknown) =>
      logger.warn('The file of a finished batch was not removed. The bucket removes it later.', {
        batchId,
        error,
      }),
    );
  return 'finished';
}
