import { handler as listDocuments } from '../../functions/documents/endpoints/documents/list-documents.ts';
import { memberStage } from '../functions/documents/console/member-stage.ts';
import { manyLike, someDocuments } from '../functions/documents/sample-documents.ts';
import { call } from '../http-event.ts';
import { type Figure, median } from './measure/figures.ts';
import { startStores } from './measure/stores.ts';

const DOCUMENTS = 50_000;
// As the page of the console has them.
const PAGE_SIZE = 25;
const FAR_PAGE = 500;
// As people send them. Within a minute lists have no counts, and walk: a far page among thousands of one minute, which a
// table of people makes, costs more than is measured here.
const A_MINUTE = 20;
const WARM_UPS = 20;
const ROUNDS = 60;

/** The list of documents, rendered: against the same documents as JSON, and far from its beginning. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const { stop } = await startStores();
  try {
    const { orgId, key, people } = await memberStage();
    const [first = ''] = await someDocuments(orgId);
    const nowMs = Date.now();
    await manyLike(first, DOCUMENTS - 1, (n) => ({ createdAtMs: nowMs - (n * 60_000) / A_MINUTE }));
    const times: { list: number; near: number; far: number }[] = [];
    for (let n = 0; n < WARM_UPS + ROUNDS; n++)
      times.push({
        list: await msOfList(key),
        near: await msOfPage(people.Owner, 1),
        far: await msOfPage(people.Owner, FAR_PAGE),
      });
    const middle = (kind: 'list' | 'near' | 'far') =>
      median(times.slice(WARM_UPS).map((round) => round[kind]));
    const ms = (kind: 'list' | 'near' | 'far') => middle(kind).toFixed(1);
    return [
      {
        name: 'the list of documents in the console, rendered, against GET /api/documents',
        ratio: middle('list') / middle('near'),
        promised: { atLeast: 0.5 },
        detail: `${ms('near')} and ${ms('list')} ms, ${PAGE_SIZE} of ${DOCUMENTS} documents`,
      },
      {
        name: `page ${FAR_PAGE} of ${DOCUMENTS} documents in the console, against page 1`,
        ratio: middle('far') / middle('near'),
        promised: { atMost: 1.3 },
        detail: `${ms('far')} and ${ms('near')} ms, ${A_MINUTE} documents a minute`,
      },
    ];
  } finally {
    await stop();
  }
}

async function msOfList(key: string): Promise<number> {
  const startedAt = performance.now();
  const { status, json, text } = await call(listDocuments, {
    headers: { 'X-API-Key': key },
    query: { limit: String(PAGE_SIZE) },
  });
  const ms = performance.now() - startedAt;
  if (status !== 200 || (json() as { items: unknown[] }).items.length !== PAGE_SIZE)
    throw new Error(`The list was answered ${status}: ${text}`);
  return ms;
}

type Visitor = Awaited<ReturnType<typeof memberStage>>['people']['Owner'];

/** How long the page takes. It must have every row. */
async function msOfPage({ show }: Visitor, page: number): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await show('', { page: String(page) });
  const ms = performance.now() - startedAt;
  const rows = text.split('<tr role="row">').length - 2;
  if (status !== 200 || rows !== PAGE_SIZE) throw new Error(`The page was answered ${status}, ${rows} rows.`);
  return ms;
}
