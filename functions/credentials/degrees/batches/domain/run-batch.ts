import type { Caller } from '../../../../../shared/access/caller.ts';
import { files } from '../../../../../shared/files/files.ts';
import {
  type LineKind,
  type RunOptions as LineRunOptions,
  type RunOutcome,
  runLines,
} from '../../../../../shared/lines/run-lines.ts';
import type { Line } from '../../../../../shared/lines/split-lines.ts';
import { type LineError, type LineRun, workLine } from '../../../../../shared/lines/work-line.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import { gatherMessages } from '../../../../../shared/queue/outbox.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { errors } from '../../../errors.ts';
import { items } from '../../../items/domain/item.ts';
import { settings } from '../../../settings.ts';
import { ORGANIZATIONS_OF } from '../../../tenants/domain/organization.ts';
import { type CreateDegreeRequest, preparingDegree } from '../../domain/degrees.ts';
import {
  batches,
  batchMessage,
  batchStates,
  cancelingBatchMessage,
  changingBatchList,
  type DegreeBatch,
  degreeIdOf,
  lineErrors,
} from './batch.ts';

// Each line is two files and a transaction: 32 of a client's 50 connections.
const LINES_AT_ONCE = 16;

/** What the lines of one run share. */
type LineContext = {
  /** Reads a line by the contract. Throws the Refusal of one that is no degree. */
  readonly readLine: (bytes: Buffer) => CreateDegreeRequest;
  readonly messages: ReturnType<typeof gatherMessages>;
};

export type RunOptions = LineRunOptions & Pick<LineContext, 'readLine'>;

/** Works through a batch from its last checkpoint on. Running it twice does no harm. */
export async function runBatch(batchId: string, { readLine, now, logger }: RunOptions): Promise<RunOutcome> {
  const messages = gatherMessages();
  try {
    const { outcome, batch } = await runLines(kindOf({ readLine, messages }), batchId, { now, logger });
    if (outcome === 'finished' && batch) await removeFile(batch, logger);
    return outcome;
  } finally {
    await messages.sendGathered();
  }
}

const kindOf = (context: LineContext): LineKind<DegreeBatch> => ({
  service: 'credentials',
  batches,
  maxLineBytes: settings['Batches:MaxLineBytes'],
  linesAtOnce: LINES_AT_ONCE,
  idOf: ({ id }, line) => degreeIdOf(id, line),
  findMade: async (ids) =>
    (await items.getMany(ids.map((id) => ({ kind: 'degree' as const, id })))).map(({ id }) => id),
  make: (batch, line, run) => createLine(context, batch, line, run),
  stateAfter: ({ state }, { isLast }) => batchStates.next(state, isLast ? 'ended' : 'begun') ?? state,
  isOver: ({ state }) => batchStates.isTerminal(state),
  recording: ({ id: batchId }, error) => lineErrors.putting({ ...error, batchId }),
  listing: changingBatchList,
  message: batchMessage,
  cancelingMessage: cancelingBatchMessage,
});

/** Creates the degree of a line, once. Answers the reason where the line is refused. */
const createLine = (
  { readLine, messages }: LineContext,
  batch: DegreeBatch,
  line: Line,
  run: LineRun,
): Promise<LineError | undefined> =>
  workLine(
    line,
    {
      batchId: batch.id,
      read: (each) => readLine(requireBytes(each)),
      make: (request) => createOnce({ batch, messages, now: run.now }, line, request),
      unexpected: () => errors.refuse('UnexpectedError'),
    },
    run,
  );

function requireBytes({ bytes }: Line): Buffer {
  if (bytes) return bytes;
  const reason = `is longer than ${settings['Batches:MaxLineBytes']} bytes`;
  throw errors.refuse('InvalidFields', { field: 'line', reason });
}

type CreateContext = Pick<LineContext, 'messages'> &
  Pick<LineRun, 'now'> & {
    readonly batch: Pick<DegreeBatch, 'id' | 'application' | 'person' | 'scope' | 'createdAtMs'>;
  };

async function createOnce(
  { batch, messages, now }: CreateContext,
  { number }: Line,
  request: CreateDegreeRequest,
): Promise<void> {
  const id = degreeIdOf(batch.id, number);
  // Degrees that are created alone do not wait in the queue behind those of a large batch.
  const paceMs = 1000 / settings['Batches:HandOversPerSecond'];
  const dueAtMs = Math.ceil(batch.createdAtMs + number * paceMs);
  const handOverAtMs = dueAtMs > now() ? dueAtMs : undefined;
  try {
    const { degree, others } = await preparingDegree(callerOf(batch), request, now(), { id, handOverAtMs });
    await commit(messages.gathering([degree, ...others].flatMap(({ writes }) => writes)));
  } catch (error) {
    // An earlier run of this line created it. Otherwise its random verification code is taken, and the next is not.
    const isCreated = error instanceof AlreadyExists && (await items.get({ kind: 'degree', id }));
    if (!isCreated) throw error;
  }
}

/** Who sent the batch, with the scope of that time. What institutes are is looked up now. */
const callerOf = ({ application, person, scope }: CreateContext['batch']): Caller => ({
  ...{ application, keyId: '', permissions: [], ...(person && { person }) },
  registered: { [ORGANIZATIONS_OF]: scope },
});

/** The lines hold names and CPFs of people: the file is not kept. One that stays is removed by the bucket's own rule. */
async function removeFile({ id: batchId, file }: DegreeBatch, logger: Logger): Promise<void> {
  await files('credentials')
    .remove(file)
    .catch((error: unknown) =>
      logger.warn('The file of a finished batch was not removed. The bucket removes it later.', {
        batchId,
        error,
      }),
    );
}
