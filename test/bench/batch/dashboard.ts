import { handler as showPage } from '../../../functions/batch/dashboard/endpoints/show-page.ts';
import { handler as listJobs } from '../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { givenSession } from '../../functions/batch/auth/operator.ts';
import { call } from '../../requests/http-event.ts';
import { type Figure, median } from '../measure/figures.ts';
import { startWithJobs } from './parts/many-jobs.ts';

const JOBS = 100_000;
const PAGE_SIZE = 50;
const WARM_UPS = 100;
const ROUNDS = 200;

/** The page of jobs, rendered, against the same jobs as JSON. */
export async function figures(): Promise<Figure[]> {
  const stores = await startWithJobs({ count: JOBS, pageSize: PAGE_SIZE });
  Object.assign(process.env, { Auth__ApiKey: SANDBOX_KEY, Log__Level: 'ERROR' });
  try {
    const cookie = `lbs-auth=${await givenSession()}`;
    const times: { page: number; list: number }[] = [];
    for (let n = 0; n < WARM_UPS + ROUNDS; n++)
      times.push({ list: await msOfList(), page: await msOfPage(cookie) });
    const middle = (kind: 'page' | 'list') => median(times.slice(WARM_UPS).map((round) => round[kind]));
    return [
      {
        name: 'the jobs page of the dashboard, rendered, against GET /api/jobs',
        ratio: middle('list') / middle('page'),
        promised: { atLeast: 0.5 },
        detail: `${middle('page').toFixed(1)} and ${middle('list').toFixed(1)} ms, ${PAGE_SIZE} of ${JOBS} jobs`,
      },
    ];
  } finally {
    await stores.stop();
  }
}

async function msOfList(): Promise<number> {
  const startedAt = performance.now();
  const { status, json, text } = await call(listJobs, {
    headers: { 'X-API-Key': SANDBOX_KEY },
    query: { pageSize: String(PAGE_SIZE) },
  });
  const ms = performance.now() - startedAt;
  if (status !== 200 || (json() as { items: unknown[] }).items.length !== PAGE_SIZE)
    throw new Error(`The list was answered ${status}: ${text}`);
  return ms;
}

/** How long the page takes. It must have every row. */
async function msOfPage(cookie: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await call(showPage, {
    path: '/batch/dashboard/jobs',
    params: { path: 'jobs' },
    headers: { Cookie: cookie, Accept: 'text/html' },
  });
  const ms = performance.now() - startedAt;
  const rows = text.split('<tr role="row">').length - 2;
  if (status !== 200 || rows !== PAGE_SIZE) throw new Error(`The page was answered ${status}, ${rows} rows.`);
  return ms;
}
