import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { jitteredBackoff, retry } from '../../../../../shared/async/retry.ts';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import type { gatherMessages } from '../../../../../shared/queue/outbox.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { AlreadyExists, RaceLost } from '../../../../../shared/store/refusals.ts';
import { errors } from '../../../errors.ts';
import { items } from '../../../items/domain/item.ts';
import { settings } from '../../../settings.ts';
import { ORGANIZATIONS_OF } from '../../../tenants/domain/organization.ts';
import { type CreateDegreeRequest, preparingDegree } from '../../domain/degrees.ts';
import { type DegreeBatch, degreeIdOf, type LineError } from './batch.ts';
import type { Line } from './split-lines.ts';

/** What the lines of one run share. */
export type LineContext = {
  readonly batch: Pick<DegreeBatch, 'id' | 'application' | 'scope' | 'createdAtMs'>;
  /** Reads a line by the contract. Throws the Refusal of one that is no degree. */
  readonly readLine: (bytes: Buffer) => CreateDegreeRequest;
  readonly messages: ReturnType<typeof gatherMessages>;
  /** The store is waited for until then. */
  readonly deadlineAtMs: number;
  readonly now: () => number;
  readonly logger: Logger;
};

// A store that throttles is given time: the pauses grow to some six seconds.
const PAUSES = jitteredBackoff(100, 6);
// A failure of no known kind may be a fault of ours that this line alone meets. It must not stop the others.
const MAX_SURPRISES = 3;

/** Whether a failure says something of the store, and nothing of the line. Errors of AWS clients carry metadata. */
const isOfStore = (error: unknown): boolean =>
  error instanceof RaceLost ||
  error instanceof AlreadyExists ||
  (error instanceof Error && '$metadata' in error && !isInvalidInput(error));

/** The store would refuse these writes again and again. */
const isInvalidInput = (error: Error): boolean =>
  error.name === 'ValidationException' ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons?.some(({ Code }) => Code === 'ValidationError') ?? false));

/**
 * Creates the degree of a line, once. Answers the reason where the line is refused. Throws when the store does not work:
 * that is never the error of a line.
 */
export async function createLine(context: LineContext, line: Line): Promise<LineError | undefined> {
  let surprises = 0;
  try {
    const request = context.readLine(requireBytes(line));
    await retry(() => createOnce(context, line, request), {
      maxAttempts: Number.POSITIVE_INFINITY,
      isRetryable: (error) =>
        isOfStore(error) || (!(error instanceof Refusal) && ++surprises < MAX_SURPRISES),
      pauseMs: PAUSES,
      deadlineAtMs: context.deadlineAtMs,
      now: context.now,
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return errorOf(line, error);
    if (isOfStore(error)) throw error;
    const { id: batchId } = context.batch;
    context.logger.error('A line of a batch failed for no known reason.', {
      batchId,
      line: line.number,
      error,
    });
    return errorOf(line, errors.refuse('UnexpectedError'));
  }
}

function requireBytes({ bytes }: Line): Buffer {
  if (bytes) return bytes;
  const reason = `is longer than ${settings['Batches:MaxLineBytes']} bytes`;
  throw errors.refuse('InvalidFields', { field: 'line', reason });
}

async function createOnce(
  { batch, messages, now }: LineContext,
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
const callerOf = ({ application, scope }: LineContext['batch']): Caller => ({
  ...{ application, keyId: '', permissions: [] },
  registered: { [ORGANIZATIONS_OF]: scope },
});

// A checkpoint holds the errors of its lines: a hundred of them must fit one transaction of 4 MB.
const MAX_DETAIL_LENGTH = 500;

const errorOf = ({ number: line }: Line, { code, message, details }: Refusal): LineError => ({
  ...{ line, code, message },
  details: details
    ? Object.fromEntries(
        Object.entries(details).map(([name, value]) => [name, String(value).slice(0, MAX_DETAIL_LENGTH)]),
      )
    : null,
});
