import { handler as listDocuments } from '../../../functions/documents/endpoints/documents/list-documents.ts';
import { memberStage } from '../../functions/documents/console/member-stage.ts';
import { manyLike, someDocuments } from '../../functions/documents/sample-documents.ts';
import { call } from '../../requests/http-event.ts';
import { type Figure, median } from '../measure/figures.ts';
import { startStores } from '../measure/stores.ts';

const DOCUMENTS = 50_000;
// As the page of the console has them.
const PAGE_SIZE = 25;
const FAR_PAGE = 500;
// As people send them one by one, and as fast as a list takes them: 400 a second.
const SPREADS = { 'over 41 hours': 41 * 3_600_000, 'within 125 seconds': 125_000 } as const;
const WARM_UPS = 20;
const ROUNDS = 60;

type Stage = Awaited<ReturnType<typeof memberStage>>;
type Times = { readonly [Kind in 'list' | 'farList' | 'page' | 'farPage']: number };

/** The list of documents, rendered and as JSON: one against the other, and far from its beginning. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const { stop } = await startStores();
  try {
    const stages: Stage[] = [];
    for (const spreadMs of Object.values(SPREADS)) stages.push(await stageOf(spreadMs));
    const times: Times[][] = [];
    for (let n = 0; n < WARM_UPS + ROUNDS; n++) {
      const round: Times[] = [];
      for (const stage of stages) round.push(await measure(stage));
      times.push(round);
    }
    return Object.keys(SPREADS).flatMap((spread, at) => {
      const middle = (kind: keyof Times) =>
        median(times.slice(WARM_UPS).map((round) => round[at]?.[kind] ?? 0));
      return figuresOf(middle, spread);
    });
  } finally {
    await stop();
  }
}

function figuresOf(middle: (kind: keyof Times) => number, spread: string): Figure[] {
  const figure = (
    name: string,
    of: keyof Times,
    against: keyof Times,
    promised: Figure['promised'],
  ): Figure => ({
    name,
    ratio: middle(of) / middle(against),
    promised,
    detail: `${middle(of).toFixed(1)} and ${middle(against).toFixed(1)} ms, ${PAGE_SIZE} of ${DOCUMENTS} documents created ${spread}`,
  });
  return [
    figure('GET /api/documents against the list in the console, rendered', 'list', 'page', { atLeast: 0.5 }),
    figure(`page ${FAR_PAGE} in the console, against page 1`, 'farPage', 'page', { atMost: 1.3 }),
    figure(`page ${FAR_PAGE} of GET /api/documents, against page 1`, 'farList', 'list', { atMost: 1.3 }),
  ];
}

/** An organization with all documents, evenly over this time. */
async function stageOf(spreadMs: number): Promise<Stage> {
  const stage = await memberStage();
  const [first = ''] = await someDocuments(stage.orgId);
  const nowMs = Date.now();
  await manyLike(first, DOCUMENTS - 1, (n) => ({
    createdAtMs: nowMs - Math.floor((n * spreadMs) / DOCUMENTS),
  }));
  return stage;
}

const measure = async ({ key, people }: Stage): Promise<Times> => ({
  list: await msOfList(key, 1),
  farList: await msOfList(key, FAR_PAGE),
  page: await msOfPage(people.Owner, 1),
  farPage: await msOfPage(people.Owner, FAR_PAGE),
});

async function msOfList(key: string, page: number): Promise<number> {
  const startedAt = performance.now();
  const { status, json, text } = await call(listDocuments, {
    headers: { 'X-API-Key': key },
    query: { limit: String(PAGE_SIZE), offset: String(page - 1) },
  });
  const ms = performance.now() - startedAt;
  if (status !== 200 || (json() as { items: unknown[] }).items.length !== PAGE_SIZE)
    throw new Error(`The list was answered ${status}: ${text}`);
  return ms;
}

type Visitor = Stage['people']['Owner'];

/** How long the page takes. It must have every row. */
async function msOfPage({ show }: Visitor, page: number): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await show('', { page: String(page) });
  const ms = performance.now() - startedAt;
  const rows = text.split('<tr role="row">').length - 2;
  if (status !== 200 || rows !== PAGE_SIZE) throw new Error(`The page was answered ${status}, ${rows} rows.`);
  return ms;
}
