import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import { checkBatch } from '../../infra/local/engine/kills/degree-batch-crash/check-run.ts';
import { runKilledBatch } from '../../infra/local/engine/kills/degree-batch-crash/run.ts';
import type { Figure } from '../measure/figures.ts';

// The most that one batch takes. A smaller number tries the run itself.
const LINES = Number(process.env.BENCH_BATCH_LINES ?? 50_000);
const KILLS = 5;

/** kill -9 of an engine that works through a batch of degrees: lines that are not created once or reported. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  try {
    const run = await runKilledBatch({ count: LINES, kills: KILLS });
    const problems = await checkBatch(run);
    for (const problem of problems.slice(0, 20)) console.error(problem);
    const { seconds, secondsDown, kills, api } = run;
    const perSecond = LINES / (seconds - secondsDown);
    return [
      {
        name: `credentials: a batch of ${LINES} degrees with bad lines among them, the engine killed ${kills} times: what does not add up`,
        ratio: problems.length,
        promised: { atMost: 0 },
        detail: `${(seconds / 60).toFixed(1)} min, ${(secondsDown / 60).toFixed(1)} of them in restarts; ${perSecond.toFixed(0)} lines a second of the others; ${api.busy()} reads answered 503 and repeated`,
      },
    ];
  } finally {
    await cleanUp();
  }
}
