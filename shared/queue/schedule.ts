import { type Logger, logger } from '../log/logger.ts';
import type { ServiceName } from '../settings/names.ts';

export type Task = { readonly logger: Logger; readonly now: () => number };

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
): () => Promise<void> {
  const log = logger(service).with({ task: name });
  return async () => {
    const startedMs = now();
    try {
      await run({ logger: log, now });
      log.debug('A scheduled task is done.', { tookMs: now() - startedMs });
    } catch (error) {
      log.error('A scheduled task failed.', { tookMs: now() - startedMs, error });
      throw error;
    }
  };
}
