import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import { checkSignerFolder } from '../../infra/local/engine/kills/signer-folder-crash/check-run.ts';
import { startProxy } from '../../infra/local/engine/kills/signer-folder-crash/proxy.ts';
import { runSignerFolder } from '../../infra/local/engine/kills/signer-folder-crash/run.ts';
import type { Figure } from '../measure/figures.ts';

const DOCUMENTS = 200;
const KILLS = 5;
const MAX_CONCURRENCY = 8;

/** kill -9 of an engine between the start and the end of a signature in a signer folder: what does not add up. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const proxy = await startProxy();
  try {
    const run = await runSignerFolder({
      documents: DOCUMENTS,
      kills: KILLS,
      maxConcurrency: MAX_CONCURRENCY,
      proxy,
    });
    const problems = checkSignerFolder(run);
    for (const problem of problems) console.error(problem);
    const { jobs, documents, seconds } = run;
    const interrupted = jobs.filter(({ errorCode }) => errorCode !== null).length;
    return [
      {
        name: `${DOCUMENTS} documents put into a signer folder while the engine is killed ${KILLS} times between start and complete: what does not add up`,
        ratio: problems.length,
        promised: { atMost: 0 },
        detail: `${documents.length} documents, ${jobs.length} jobs, ${interrupted} of them interrupted and retried; ${(seconds / 60).toFixed(1)} min`,
      },
    ];
  } finally {
    await cleanUp();
    proxy.stop();
  }
}
