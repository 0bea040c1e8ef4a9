import { listDocuments } from '../../../functions/documents/domain/lists/list-documents.ts';
import { ownOrganization } from '../../functions/documents/own-organization.ts';
import { callerFor, manyLike, someDocuments } from '../../functions/documents/sample-documents.ts';
import { countCalls } from '../../measure/calls.ts';
import type { Figure } from '../measure/figures.ts';
import { startStores } from '../measure/stores.ts';

const DOCUMENTS = 20_000;
const LIMIT = 20;
const LAST_PAGE = 200;

const QUERIES = {
  'of a status, by number': { status: 'Pending' },
  'by tags, by cursor': { tags: 'b|x' },
  'by a participant, by cursor': { participantQ: 'Prado', participantQueryType: 'Name' },
} as const;

/** A page of a list of documents far from its beginning, against the first one: requests to the store. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const { stop } = await startStores();
  try {
    const { orgId } = await ownOrganization();
    const [first = ''] = await someDocuments(orgId, { tags: ['a'] });
    const tags = [{ label: 'b', value: 'x', color: null }];
    await manyLike(first, DOCUMENTS - 1, (n) => (n % 3 === 0 ? { tags } : {}));
    const found: Figure[] = [];
    for (const [name, query] of Object.entries(QUERIES)) {
      const { near, far } = await readsOf(orgId, query);
      found.push({
        name: `page ${LAST_PAGE} of ${DOCUMENTS} documents ${name}, against page 1`,
        ratio: far / near,
        promised: { atMost: 1.3 },
        detail: `${far} and ${near} requests to the store`,
      });
    }
    return found;
  } finally {
    await stop();
  }
}

async function readsOf(orgId: string, query: object) {
  const isNumbered = 'status' in query;
  let cursor: string | undefined;
  const read = async (page: number): Promise<number> => {
    const place = isNumbered ? { offset: page - 1 } : { offset: 0, cursor };
    const request = { limit: LIMIT, order: 'Desc', ...place, ...query } as const;
    const { total } = await countCalls(async () => {
      const answer = await listDocuments(callerFor(orgId), request, Date.now());
      if (answer.items.length !== LIMIT)
        throw new Error(`Page ${page} has ${answer.items.length} documents.`);
      cursor = answer.nextCursor ?? undefined;
    });
    return total;
  };
  const near = await read(1);
  if (!isNumbered) for (let page = 2; page < LAST_PAGE; page++) await read(page);
  return { near, far: await read(LAST_PAGE) };
}
