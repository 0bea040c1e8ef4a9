import { cleanUp } from '../../../functions/batch/installation/retention/domain/run.ts';
import { listEvents } from '../../../functions/batch/operations/domain/list-events.ts';
import { killedAt } from '../../faults/crash.ts';
import { findLeft, makeOldJobs } from '../../functions/batch/installation/retention/old-jobs.ts';
import { countCalls } from '../../measure/calls.ts';
import type { Figure } from '../measure/figures.ts';
import { startStores } from '../measure/stores.ts';

const JOBS = 10_000;
// The writes of a process until it is killed: in each part of the work, the deletion of jobs more than once.
const KILLS = [60, 200, 150, 250, 200, 150, 100] as const;
const DAYS_MS = 366 * 86_400_000;
const MAX_RUN_MS = 3_600_000;

/** Retention of many old jobs with their files, killed on the way: what does not add up, and the calls of each job. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const { stop } = await startStores();
  try {
    const { expected, outputNames } = await makeOldJobs(JOBS, Date.now());
    const nowMs = Date.now() + DAYS_MS;
    const run = () => cleanUp({ deadlineAtMs: nowMs + MAX_RUN_MS }, () => nowMs);
    let kills = 0;
    const startedAt = performance.now();
    const { total, byCommand } = await countCalls(async () => {
      for (const [n, write] of KILLS.entries())
        if (await killedAt(write, n % 2 === 0 ? 'before' : 'after', run)) kills += 1;
      await run();
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const [recorded] = (await listEvents({ type: 'CleanupRan', page: 1, pageSize: 1 })).items;
    const { jobsDeleted, outputFilesDeleted, errorFilesDeleted, operationalEventsDeleted } = expected;
    const counts = `${jobsDeleted} jobs, ${outputFilesDeleted} files of output/, ${errorFilesDeleted} files of error/ and ${operationalEventsDeleted} events were deleted.`;
    const problems = [
      ...(await findLeft(outputNames)),
      ...(recorded?.message.startsWith(counts) ? [] : [`counted: ${recorded?.message}`]),
      ...(recorded?.message.includes(` ${expected.filesMissing} outputs were not there`) ? [] : ['missing']),
      ...(kills === KILLS.length ? [] : [`only ${kills} kills`]),
    ];
    for (const problem of problems) console.error(problem);
    return [
      {
        name: `retention of ${JOBS} old jobs with their files, killed ${KILLS.length} times: what is left or miscounted`,
        ratio: problems.length,
        promised: { atMost: 0 },
        detail: `${recorded?.message} ${seconds.toFixed(0)} s`,
      },
      {
        name: `AWS calls of retention for each of them`,
        ratio: total / JOBS,
        promised: { atMost: 1 },
        detail: JSON.stringify(byCommand),
      },
    ];
  } finally {
    await stop();
  }
}
