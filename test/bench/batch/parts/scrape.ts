import { handler as getMetrics } from '../../../../functions/batch/endpoints/get-metrics.ts';
import { counting, observing } from '../../../../functions/batch/operations/domain/metrics.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { call } from '../../../requests/http-event.ts';
import { type Figure, median } from '../../measure/figures.ts';
import { startStores } from '../../measure/stores.ts';

// Run by batch.ts in a process of its own, which is that of the function.

const FEW = 100;
const MANY = 100_000;
// A record holds the counts of one commit, whatever they are, so fifty jobs make one here. There are still far more
// commits than a fold waits for.
const JOBS_PER_COMMIT = 50;
const AT_ONCE = 10;
const SCRAPES = 40;
const WARM_UPS = 150;
const FORMATS = ['Pades', 'Cades', 'Xades'] as const;

/** A scrape of the metrics after many counted jobs against one after few. */
async function scrapeFigure(): Promise<Figure> {
  const stores = await startStores();
  process.env.Auth__ApiKey = SANDBOX_KEY;
  try {
    let counted = 0;
    const countUpTo = async (total: number, perCommit: number): Promise<void> => {
      const one = async (): Promise<void> => {
        while (counted < total) {
          const format = FORMATS[counted % FORMATS.length] ?? 'Cades';
          counted += perCommit;
          await commit([
            counting('bulk_jobs_enqueued_total', { folder: '(upload)' }, perCommit),
            counting('bulk_jobs_completed_total', {}, perCommit),
            observing('bulk_signing_duration_seconds', { format }, counted / MANY),
          ]);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, one));
    };
    await countUpTo(FEW, 1);
    // The first ones are slow for another reason: the code is new to the process.
    for (let n = 0; n < WARM_UPS; n++) await scrape(counted);
    // More are counted between scrapes: how many records wait for a fold changes all the time.
    const measure = async (perCommit: number): Promise<number> => {
      const times: number[] = [];
      for (let n = 0; n < SCRAPES; n++) {
        await countUpTo(counted + perCommit, perCommit);
        times.push(await scrape(counted));
      }
      return median(times);
    };
    const few = await measure(1);
    await countUpTo(MANY, JOBS_PER_COMMIT);
    const many = await measure(1);
    return {
      name: `a scrape of the batch metrics after ${MANY} counted jobs against after ${FEW}`,
      ratio: many / few,
      promised: { atMost: 2 },
      detail: `${many.toFixed(1)} and ${few.toFixed(1)} ms`,
    };
  } finally {
    await stores.stop();
  }
}

/** How long a scrape takes. Its counts must be right. */
async function scrape(completed: number): Promise<number> {
  const startedAt = performance.now();
  const { text } = await call(getMetrics, { headers: { 'X-API-Key': SANDBOX_KEY } });
  const ms = performance.now() - startedAt;
  const [, count] = /^bulk_jobs_completed_total (\d+)$/m.exec(text) ?? [];
  if (Number(count) !== completed) throw new Error(`${completed} jobs are counted as ${count}.`);
  return ms;
}

process.send?.(await scrapeFigure(), () => process.exit(0));
