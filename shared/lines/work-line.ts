import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { jitteredBackoff, retry } from '../async/retry.ts';
import { Refusal } from '../errors/errors.ts';
import type { Said } from '../errors/said.ts';
import type { Logger } from '../log/logger.ts';
import { AlreadyExists, RaceLost } from '../store/refusals.ts';
import type { Line } from './split-lines.ts';

/** Why a line became nothing. */
export type LineError = {
  /** From 1, as people count the lines of their file. */
  readonly line: number;
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, string> | null;
  /** The reason in any language. Lines that were refused by earlier versions have none. */
  readonly said?: Said | undefined;
};

/** What the lines of one run share. */
export type LineRun = {
  /** The store is waited for until then. */
  readonly deadlineAtMs: number;
  readonly now: () => number;
  readonly logger: Logger;
};

export type LineWork<Request> = {
  readonly batchId: string;
  /** Reads a line. Throws the Refusal of one that asks for nothing that can be made. */
  readonly read: (line: Line) => Request;
  /** Makes what the line asks for, once, however often it is called. */
  readonly make: (request: Request) => Promise<void>;
  /** The refusal of a line that failed for no known reason. */
  readonly unexpected: () => Refusal;
  /** Whether a failure says nothing of the line, beside those of the store. */
  readonly isPassing?: (error: unknown) => boolean;
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
 * Makes what a line asks for. Answers the reason where the line is refused. Throws when the store does not work: that is
 * never the error of a line.
 */
export async function workLine<Request>(
  line: Line,
  { batchId, read, make, unexpected, isPassing = () => false }: LineWork<Request>,
  { deadlineAtMs, now, logger }: LineRun,
): Promise<LineError | undefined> {
  let surprises = 0;
  const isElsewhere = (error: unknown): boolean => isOfStore(error) || isPassing(error);
  try {
    const request = read(line);
    await retry(() => make(request), {
      maxAttempts: Number.POSITIVE_INFINITY,
      isRetryable: (error) =>
        isElsewhere(error) || (!(error instanceof Refusal) && ++surprises < MAX_SURPRISES),
      pauseMs: PAUSES,
      deadlineAtMs,
      now,
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return errorOf(line, error);
    if (isElsewhere(error)) throw error;
    logger.error('A line of a batch failed for no known reason.', { batchId, line: line.number, error });
    return errorOf(line, unexpected());
  }
}

// A checkpoint holds the errors of its lines: a hundred of them must fit one transaction of 4 MB.
const MAX_DETAIL_LENGTH = 500;

const bounded = <Value>(record: Readonly<Record<string, Value>>) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, String(value).slice(0, MAX_DETAIL_LENGTH)]),
  );

const errorOf = ({ number: line }: Line, { code, message, details, said }: Refusal): LineError => ({
  ...{ line, code, message },
  details: details ? bounded(details) : null,
  ...(said && { said: said.values ? { ...said, values: bounded(said.values) } : said }),
});
