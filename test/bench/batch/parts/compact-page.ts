import { handler as listJobs } from '../../../../functions/compact/endpoints/list-jobs.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';
import { type Figure, median } from '../../measure/figures.ts';
import { startWithJobs } from './many-jobs.ts';

const JOBS = 100_000;
const PAGE_SIZE = 100;
const ROUNDS = 5;

// Run by batch.ts in a process of its own, which is that of the function.

/** A page of the compact surface by filters that no index has, against one without filters. Reported, not promised. */
async function filteredPageFigure(): Promise<Figure> {
  const stores = await startWithJobs({ count: JOBS, pageSize: PAGE_SIZE });
  Object.assign(process.env, { Auth__ApiKey: SANDBOX_KEY, RateLimiting__PermitLimit: '1000000' });
  try {
    const filters = { source: 'RestApi', encryptionEnabled: 'false', filenameContains: '.BIN' };
    const times: { plain: number; filtered: number }[] = [];
    for (let n = 0; n < ROUNDS + 1; n++) times.push({ plain: await msOf({}), filtered: await msOf(filters) });
    const middle = (page: 'plain' | 'filtered') => median(times.slice(1).map((round) => round[page]));
    return {
      name: `a compact page by three filters over ${JOBS} jobs, with its total, against one without filters`,
      ratio: middle('filtered') / middle('plain'),
      detail: `${middle('filtered').toFixed(0)} and ${middle('plain').toFixed(1)} ms`,
    };
  } finally {
    await stores.stop();
  }
}

/** How long a page takes. Its total must be right. */
async function msOf(query: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const { status, json, text } = await call(listJobs, {
    headers: { 'X-API-Key': SANDBOX_KEY },
    query: { ...query, pageSize: String(PAGE_SIZE) },
  });
  const ms = performance.now() - startedAt;
  if (status !== 200) throw new Error(`A page was answered ${status}: ${text}`);
  const { total, items } = json() as { total: number; items: unknown[] };
  if (total !== JOBS || items.length !== PAGE_SIZE)
    throw new Error(`A page has ${items.length} of ${total} jobs.`);
  return ms;
}

process.send?.(await filteredPageFigure(), () => process.exit(0));
