import { files } from '../../../../../shared/files/files.ts';
import {
  type LineKind,
  type RunOptions as LineRunOptions,
  type RunOutcome,
  runLines,
} from '../../../../../shared/lines/run-lines.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import { gatherMessages } from '../../../../../shared/queue/outbox.ts';
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
  lineErrors,
} from './batch.ts';
import { createLine, type LineContext } from './create-line.ts';

// Each line is two files and a transaction: 32 of a client's 50 connections.
const LINES_AT_ONCE = 16;

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
