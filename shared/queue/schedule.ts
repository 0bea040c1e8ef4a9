import type { Context } from 'aws-lambda';
import { type Logger, logger } from '../log/logger.ts';
import { count, declareValues } from '../metrics/count.ts';
import { type DimensionsOf, isScheduled } from '../metrics/table.ts';
import type { ServiceName } from '../settings/names.ts';
import { endRun } from '../telemetry/end-run.ts';
import { inSpan } from '../trace/spans.ts';
import { runInTrace, startTrace } from '../trace/trace.ts';
import '../settings/values-at-start.ts';

export type Task = {
  readonly logger: Logger;
  readonly now: () => number;
  /** The time until the host ends the function. A task that finds more work than fits leaves the rest to the next run. */
  readonly remainingMs: () => number;
  /** The schedule's `input`; EventBridge's own event where it declares none. */
  readonly input: unknown;
};

type ScheduleHandler = (
  input?: unknown,
  context?: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<void>;

/**
 * The function of a schedule. A failure is logged and thrown to the host, which counts it and may run the task again; a
 * schedule may also fire twice. So a task finds its work in the store, and may find none.
 * @example export const handler = scheduleHandler('session', 'sweep-expired', ({ now }) => sweepExpired(now()));
 */
export function scheduleHandler(
  service: ServiceName,
  name: string,
  run: (task: Task) => Promise<void>,
  now: () => number = Date.now,
): ScheduleHandler {
  const log = logger(service).with({ task: name });
  declareValues('Task', [name]);
  const countRun = (Outcome: DimensionsOf<'Runs'>['Outcome']): void => {
    if (isScheduled(service)) count('Runs', { Service: service, Task: name, Outcome });
  };
  const runOnce: ScheduleHandler = async (input, context) => {
    const startedMs = now();
    const remainingMs = (): number => context?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY;
    try {
      await run({ logger: log, now, remainingMs, input });
      countRun('done');
      log.debug('A scheduled task is done.', { tookMs: now() - startedMs });
    } catch (error) {
      countRun('failed');
      log.error('A scheduled task failed.', { tookMs: now() - startedMs, error });
      throw error;
    }
  };
  return async (input, context) => {
    const trace = startTrace({ service });
    const work = () => runOnce(input, context);
    try {
      await runInTrace(trace, () => inSpan(trace, { kind: 'internal', name }, work, () => DONE));
    } finally {
      await endRun();
    }
  };
}

const DONE = { isError: false };
