import * as z from 'zod';
import { consume } from '../../../../shared/queue/consume.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { JOBS_QUEUE, wakeWorker } from '../../jobs/domain/job/create-job.ts';
import type { Job } from '../../jobs/domain/job/job.ts';
import { settings } from '../../settings.ts';
import { runPipeline } from '../domain/run-pipeline.ts';

// A function has 15 minutes. A job that is claimed in the last of these still has five.
const CLAIM_FOR_MS = 600_000;

// `dueAtMs` is that of a tick: see spreadTicks. A new job's message has its id, and the job as it was written.
const WakeUp = z.object({
  dueAtMs: z.number().optional(),
  jobId: z.string().optional(),
  written: z.custom<Stored<Job>>().optional(),
});

const isLateTick = (dueAtMs: number | undefined, nowMs: number): boolean =>
  dueAtMs !== undefined && nowMs - dueAtMs > settings['Pipeline:PollIntervalSeconds'] * 1_000;

/** Wakes, looks for jobs and takes them to their end. A failed look is not repeated: the next tick looks too. */
export const handler = consume(
  { service: 'batch', queue: JOBS_QUEUE, message: WakeUp, maxReceives: 1, concurrency: 1 },
  async ({ dueAtMs, jobId, written }, { logger }) => {
    const startedAtMs = Date.now();
    if (isLateTick(dueAtMs, startedAtMs)) return;
    try {
      const hasTime = () => Date.now() - startedAtMs < CLAIM_FOR_MS;
      const work = { logger, now: () => Date.now(), hasTime };
      const { isOutOfTime } = await runPipeline(work, written ?? jobId);
      if (isOutOfTime) await wakeWorker();
    } catch (error) {
      logger.error('A worker failed; the next tick looks again.', { error });
    }
  },
);
