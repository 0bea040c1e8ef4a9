import { startShareServer } from '../../functions/batch/shares/share-server.ts';
import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import { checkDrops } from '../../infra/local/engine/kills/folder-crash/check-run.ts';
import { runDrops } from '../../infra/local/engine/kills/folder-crash/run.ts';
import type { Figure } from '../measure/figures.ts';

const LOCAL_FILES = 1_000;
const SHARED_FILES = 1_000;
const KILLS = 10;
const MAX_CONCURRENCY = 8;

/** kill -9 of an engine that watches folders and a share: what does not add up. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const share = await startShareServer();
  try {
    const run = await runDrops({
      local: LOCAL_FILES,
      shared: SHARED_FILES,
      kills: KILLS,
      maxConcurrency: MAX_CONCURRENCY,
      share,
    });
    const problems = await checkDrops(run);
    for (const problem of problems) console.error(problem);
    const { jobs, drops, seconds, secondsDown } = run;
    const interrupted = jobs.filter(({ errorCode }) => errorCode === 'job.interrupted').length;
    const unanswered = drops.reduce((sum, drop) => sum + drop.unanswered, 0);
    return [
      {
        name: `${LOCAL_FILES} mixed files dropped into folders and ${SHARED_FILES} onto a share while the engine is killed ${KILLS} times: what does not add up`,
        ratio: problems.length,
        promised: { atMost: 0 },
        detail: `${jobs.length} jobs, ${interrupted} of them interrupted and retried, ${unanswered} puts without an answer; ${(seconds / 60).toFixed(1)} min, ${(secondsDown / 60).toFixed(1)} of them in restarts`,
      },
    ];
  } finally {
    await cleanUp();
    await share.stop();
  }
}
