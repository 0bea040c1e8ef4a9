import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import { checkRun } from '../../infra/local/engine/kills/batch-crash/check-run.ts';
import { runCrashes } from '../../infra/local/engine/kills/batch-crash/run.ts';
import type { Figure } from '../measure/figures.ts';

const FILES = 1_000;
const KILLS = 10;
const MAX_CONCURRENCY = 8;

/** kill -9 of an engine that takes uploads and signs them: what does not add up, and how many jobs a kill interrupts. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  try {
    const run = await runCrashes({ files: FILES, kills: KILLS, maxConcurrency: MAX_CONCURRENCY });
    const problems = await checkRun(run);
    for (const problem of problems) console.error(problem);
    const { jobs, seconds, secondsDown } = run;
    const interrupted = jobs.filter(({ errorCode }) => errorCode === 'job.interrupted').length;
    const unanswered = run.uploads.reduce((sum, upload) => sum + upload.unanswered, 0);
    const perSecond = FILES / (seconds - secondsDown);
    return [
      {
        name: `${FILES} mixed files uploaded while the engine is killed ${KILLS} times: what does not add up`,
        ratio: problems.length,
        promised: { atMost: 0 },
        detail: `${jobs.length} jobs, ${unanswered} uploads without an answer; ${(seconds / 60).toFixed(1)} min, ${(secondsDown / 60).toFixed(1)} of them in restarts; ${perSecond.toFixed(1)} files a second of the others`,
      },
      {
        name: `jobs that a kill interrupts, of ${MAX_CONCURRENCY} in flight`,
        ratio: interrupted / KILLS / MAX_CONCURRENCY,
        promised: { atMost: 1 },
        detail: `${interrupted} jobs, each Failed with job.interrupted and retried`,
      },
    ];
  } finally {
    await cleanUp();
  }
}
