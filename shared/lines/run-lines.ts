import { forEachConcurrently } from '../async/for-each-concurrently.ts';
import { files } from '../files/files.ts';
import { FileGone } from '../files/stored-file.ts';
import type { Logger } from '../log/logger.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Collection, Stored } from '../store/collection.ts';
import { commit } from '../store/commit.ts';
import { RaceLost } from '../store/refusals.ts';
import type { Write } from '../store/write.ts';
import { type Line, lineSplitter, type Position } from './split-lines.ts';
import type { LineError, LineRun } from './work-line.ts';

/** A file of lines that are worked through in the background. Position and counts are those of the last checkpoint. */
export type LineBatch = Position & {
  readonly id: string;
  readonly state: string;
  readonly file: string;
  readonly bytes: number;
  readonly created: number;
  readonly failed: number;
  readonly updatedAtMs: number;
};

/** What happened since the checkpoint before. */
export type Progress = {
  readonly created: number;
  readonly failed: number;
  /** No line is left. */
  readonly isLast: boolean;
};

/** A kind of batch: what its lines become, and how it is stored. */
export type LineKind<B extends LineBatch> = {
  readonly service: ServiceName;
  readonly batches: Collection<B, string>;
  readonly maxLineBytes: number;
  readonly linesAtOnce: number;
  /** The id of what a line becomes: the same in every run, so that it is made once. */
  readonly idOf: (batch: B, line: number) => string;
  /** Those of the ids that exist. */
  readonly findMade: (ids: readonly string[]) => Promise<readonly string[]>;
  readonly make: (batch: B, line: Line, run: LineRun) => Promise<LineError | undefined>;
  /** The state of the batch after a checkpoint. */
  readonly stateAfter: (batch: B, progress: Progress) => B['state'];
  /** Whether its lines are worked through no more. */
  readonly isOver: (batch: B) => boolean;
  /** Whether it is to end without its other lines. */
  readonly isStopping?: (batch: B) => boolean;
  readonly recording: (batch: B, error: LineError & { readonly number: number }) => Write;
  /** Further writes of a checkpoint. */
  readonly listing?: (before: B, after: B) => readonly Write[];
  /** Asks for work on the batch, now or at a time. A later one of the same batch replaces it. */
  readonly message: (batchId: string, dueAtMs?: number) => Write;
  readonly cancelingMessage: (batchId: string) => Write;
};

/** A run ends after so long, and a further message goes on. Its function has 300 s. */
const RUN_MS = 120_000;
/** The store is waited for a little longer. */
const PATIENCE_MS = 60_000;
/** Without a checkpoint for so long its worker is taken for dead, and the sweeper sends the batch to another. */
export const STALLED_AFTER_MS = 60_000;

// A checkpoint is one transaction, at most 100 items: the batch, its list, its message, and the errors of its lines,
// which may be those of the lines under way beyond the limit. A chunk is as long as the work that a kill repeats.
const MAX_LINES = 400;
const MAX_ERRORS = 60;
const MAX_CHUNK_MS = 10_000;

const BLOCK_BYTES = 1_048_576;

// Counts, position and errors change together at a checkpoint, and nowhere else:
//
//   worker 1  |--lines 1 to 400--|checkpoint 400|--lines 401 to 520-- killed
//   worker 2                                                          |--401 to 520: exist--521 to 800--|checkpoint 800|
//
// SQS may deliver a message twice. Both workers create the same ids, and one of them writes the checkpoint:
//
//   worker 1  |--reads 400--lines 401 to 800--|checkpoint 800|--...
//   worker 2    |--reads 400--lines 401 to 800-----|checkpoint: refused, stops
//
// A batch that is stopped changes its state alone. The worker counts what it made, and ends the batch:
//
//   caller                      |stopping|
//   worker    |--reads 400--lines 401 to 520--|checkpoint: refused--|checkpoint 520 on the newer state, stopped|
//
// Where it was killed, the next one works on up to the last line that the other has made, and ends it there.

export type RunOptions = { readonly now: () => number; readonly logger: Logger };
export type RunOutcome = 'done' | 'finished' | 'more' | 'overtaken';

/** Works through a batch from its last checkpoint on. Running it twice does no harm. */
export async function runLines<B extends LineBatch>(
  kind: LineKind<B>,
  batchId: string,
  { now, logger }: RunOptions,
): Promise<{ readonly outcome: RunOutcome; readonly batch: B | undefined }> {
  const found = await kind.batches.get(batchId);
  if (!found || kind.isOver(found)) return { outcome: 'done', batch: found };
  let batch: Stored<B> = found;
  const endsAtMs = now() + RUN_MS;
  const run = { deadlineAtMs: endsAtMs + PATIENCE_MS, now, logger };
  const lines = readLines(kind, batch);
  let known = await findMade(kind, batch);
  for (;;) {
    const until = kind.isStopping?.(batch) ? Math.max(batch.line, ...known.keys()) : Number.POSITIVE_INFINITY;
    const chunk = await runChunk(kind, batch, { lines, known, until }, run);
    known = new Map();
    const goesOn = now() < endsAtMs;
    const saved: Stored<B> | undefined = await saveCheckpoint(kind, batch, chunk, goesOn, now());
    if (!saved) return { outcome: 'overtaken', batch };
    if (kind.isOver(saved)) return { outcome: 'finished', batch: saved };
    if (!goesOn) return { outcome: 'more', batch: saved };
    batch = saved;
  }
}

/** The lines after the last checkpoint. Each block is a request of its own: no connection waits while lines are created. */
async function* readLines<B extends LineBatch>(
  { service, maxLineBytes }: LineKind<B>,
  { file, bytes, line, offset }: B,
): AsyncGenerator<Line> {
  const splitter = lineSplitter({ maxLineBytes, from: { line, offset } });
  for (let from = offset; from < bytes; ) {
    const block = await files(service).readRange(file, { from, length: BLOCK_BYTES });
    if (!block) throw new FileGone(file);
    from += block.length;
    yield* splitter.push(block);
  }
  yield* splitter.end();
}

/** The ids of the next lines that a killed worker has made after the last checkpoint, by their lines. */
async function findMade<B extends LineBatch>(
  { idOf, findMade: find }: LineKind<B>,
  batch: B,
): Promise<ReadonlyMap<number, string>> {
  const next = Array.from({ length: MAX_LINES }, (_, n) => batch.line + 1 + n);
  const ids = new Map(next.map((line) => [line, idOf(batch, line)]));
  const made = new Set(await find([...ids.values()]));
  return new Map([...ids].filter(([, id]) => made.has(id)));
}

type Chunk = {
  /** The last line of it, if it has any. */
  readonly last: Line | undefined;
  readonly created: number;
  readonly errors: readonly LineError[];
  readonly isLast: boolean;
};

type ChunkInput = {
  readonly lines: AsyncIterator<Line>;
  readonly known: ReadonlyMap<number, string>;
  /** No line behind this one is begun. */
  readonly until: number;
};

async function runChunk<B extends LineBatch>(
  { linesAtOnce, make }: LineKind<B>,
  batch: B,
  { lines, known, until }: ChunkInput,
  run: LineRun,
): Promise<Chunk> {
  const errors: LineError[] = [];
  const endsAtMs = run.now() + MAX_CHUNK_MS;
  let last: Line | undefined;
  let [taken, created, isLast] = [0, 0, false];
  const isRoom = (): boolean =>
    taken < MAX_LINES && errors.length < MAX_ERRORS && (last?.number ?? batch.line) < until;
  async function* take(): AsyncGenerator<Line> {
    while (isRoom() && run.now() < endsAtMs) {
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
  await forEachConcurrently(linesAtOnce, take(), async (line) => {
    const error = known.has(line.number) ? undefined : await make(batch, line, run);
    if (error) errors.push(error);
    else created += 1;
  });
  return { last, created, errors: errors.toSorted((a, b) => a.line - b.line), isLast };
}

/** Undefined when another worker was faster: it goes on. */
async function saveCheckpoint<B extends LineBatch>(
  kind: LineKind<B>,
  batch: Stored<B>,
  chunk: Chunk,
  goesOn: boolean,
  nowMs: number,
): Promise<Stored<B> | undefined> {
  const { last, errors, isLast } = chunk;
  const progress = {
    created: batch.created + chunk.created,
    failed: batch.failed + errors.length,
    isLast,
  };
  const patch: Partial<LineBatch> = {
    ...(last && { line: last.number, offset: last.end }),
    state: kind.stateAfter(batch, progress),
    created: progress.created,
    failed: progress.failed,
    updatedAtMs: nowMs,
  };
  const change = kind.batches.changing(batch, patch as Partial<B>);
  const { id: batchId } = batch;
  const writes = [
    change,
    ...(kind.listing?.(batch, change.after) ?? []),
    ...errors.map((error, n) => kind.recording(batch, { ...error, number: batch.failed + 1 + n })),
    kind.isOver(change.after)
      ? kind.cancelingMessage(batchId)
      : kind.message(batchId, goesOn ? nowMs + STALLED_AFTER_MS : undefined),
  ];
  try {
    await commit(writes);
  } catch (error) {
    const current = error instanceof RaceLost ? await kind.batches.get(batchId) : undefined;
    if (!current || current.version === batch.version) throw error;
    const isStopped = kind.isStopping?.(current) && current.line === batch.line;
    return isStopped ? saveCheckpoint(kind, current, chunk, goesOn, nowMs) : undefined;
  }
  return change.after;
}
