import { type Logger, logger } from '../log/logger.ts';
import type { ServiceName } from '../settings/names.ts';

export type Task = { readonly logger: Logger; readonly now: () => number };

/**
 * A schedule's function. A failure is logged and told to the host, which counts it and may run it again; a
 * schedule may also fire twice. So a task finds its work in the store, and finding none is fine.
 * @example export const handler = scheduled('session', 'sweep-expired', async ({ now }) => sweepExpired(now()));
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
