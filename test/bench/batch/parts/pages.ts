import { handler as listJobs } from '../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';
import { type Figure, median } from '../../measure/figures.ts';
import { startWithJobs } from './many-jobs.ts';

const JOBS = 1_000_000;
const PAGE_SIZE = 100;
const FAR = 10_000;
const ROUNDS = 40;
const WARM_UPS = 10;

// Run by batch.ts in a process of its own, which is that of the function.

type Page = { readonly items: readonly { readonly id: string }[]; readonly totalCount: number };

/** The last of a million jobs' pages against the first. */
async function pagesFigure(): Promise<Figure> {
  const stores = await startWithJobs({ count: JOBS, pageSize: PAGE_SIZE });
  process.env.Auth__ApiKey = SANDBOX_KEY;
  try {
    const times: { first: number; far: number }[] = [];
    for (let n = 0; n < WARM_UPS + ROUNDS; n++) times.push({ first: await msOf(1), far: await msOf(FAR) });
    const middle = (page: 'first' | 'far') => median(times.slice(WARM_UPS).map((round) => round[page]));
    return {
      name: `page ${FAR} of ${JOBS} jobs against page 1`,
      ratio: middle('far') / middle('first'),
      promised: { atMost: 2 },
      detail: `${middle('far').toFixed(1)} and ${middle('first').toFixed(1)} ms, ${PAGE_SIZE} jobs a page`,
    };
  } finally {
    await stores.stop();
  }
}

/** How long a page takes. It must be the right one. */
async function msOf(page: number): Promise<number> {
  const startedAt = performance.now();
  const answer = await call(listJobs, {
    headers: { 'X-API-Key': SANDBOX_KEY },
    query: { page: String(page), pageSize: String(PAGE_SIZE) },
  });
  const ms = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`Page ${page} was answered ${answer.status}: ${answer.text}`);
  const { items, totalCount } = answer.json() as Page;
  const numbers = items.map(({ id }) => Number(id.slice(-12)));
  const isRight = numbers.every((number, at) => number === (page - 1) * PAGE_SIZE + at);
  if (totalCount !== JOBS || numbers.length !== PAGE_SIZE || !isRight)
    throw new Error(`Page ${page} has ${numbers.length} jobs of ${totalCount}, from number ${numbers[0]}.`);
  return ms;
}

process.send?.(await pagesFigure(), () => process.exit(0));
