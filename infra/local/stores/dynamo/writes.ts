// Every change of an item goes through here: the keys are locked, dynalite's operation runs on a store that only
// records its writes, and the recorded writes are committed as one batch. LevelDB writes a batch whole or
// not at all, so a process killed at any moment leaves no item without its index entries and no half of a
// transaction, and a reader never sees one either. A batch is with the operating system before it is
// answered: a killed process loses nothing, a power cut may lose the last moments.
import {
  type Body,
  checkRequest,
  createKey,
  type Item,
  itemAt,
  run,
  type Section,
  type Store,
  type TableDefinition,
  tableOf,
  validateItem,
  validateKey,
  type Write,
} from './dynalite.ts';
import { isConditionFailure } from './errors.ts';
import { indexPrefix, itemPrefix } from './keys.ts';
import type { Lock } from './lock.ts';
import type { Change, Throughput } from './throughput.ts';

/** One write of one item, with a valid request. */
export type Checked = { operation: string; data: Body; returnOld: boolean };
/** The same, with the address of its item. */
export type Step = Checked & { table: string; key: string };

export type Writes = {
  check(operation: string, body: Body): Checked;
  locate(write: Checked): Promise<Step>;
  stage(step: Step): Promise<{ answer: Body; writes: Write[] }>;
  single(operation: string, body: Body): Promise<Body>;
  batch(body: Body): Promise<Body>;
};

export const lockKey = ({ table, key }: { table: string; key: string }) => `${table}/${key}`;

export function createWrites(store: Store, lock: Lock, throughput: Throughput): Writes {
  const check = (operation: string, body: Body): Checked => ({
    operation,
    data: checkRequest(operation, body, store),
    returnOld: body.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  });

  async function locate(write: Checked): Promise<Step> {
    const table = await tableOf(store, String(write.data.TableName));
    const [item, refused] = addressOf(write.operation, write.data, table);
    if (refused) throw refused;
    return { ...write, table: table.TableName, key: createKey(item, table) };
  }

  async function stage({ operation, data, table, key, returnOld: tellOld }: Step) {
    const { store: noting, writes } = recordWrites(store);
    try {
      return { answer: await run(operation, noting, data), writes };
    } catch (error) {
      if (tellOld && isConditionFailure(error)) {
        const Item = await itemAt(store, table, key);
        if (Item) error.body.Item = Item;
      }
      throw error;
    }
  }

  async function single(operation: string, body: Body): Promise<Body> {
    const one = await locate(check(operation, body));
    return lock.write([lockKey(one)], async () => {
      const { answer, writes } = await stage(one);
      await throughput.take('writes', [changeOf(one, writes)]);
      await store.db.batch(writes);
      return answer;
    });
  }

  // DynamoDB promises each item by itself; all of them in one commit keeps that promise too.
  async function batch(body: Body): Promise<Body> {
    const data = checkRequest('BatchWriteItem', body, store);
    const keys = await Promise.all(
      batchRequests(data).map(([table, request]) => keyOf(store, table, request)),
    );
    return lock.write([...new Set(keys.flat())], async () => {
      const { store: noting, writes } = recordWrites(store);
      const answer = await run('BatchWriteItem', noting, data);
      await store.db.batch(writes);
      return answer;
    });
  }

  return { check, locate, stage: stage, single, batch };
}

/** The item as these writes of a step leave it. */
export const changeOf = ({ operation, data, table, key }: Step, writes: Write[]): Change => {
  const write = writes.find((candidate) => candidate.key === itemPrefix(table) + key);
  const address = (operation === 'PutItem' ? data.Item : data.Key) as Item;
  return { table, key, address, after: write?.type === 'put' ? (write.value as Item) : undefined };
};

const addressOf = (operation: string, data: Body, table: TableDefinition) => {
  const item = (operation === 'PutItem' ? data.Item : data.Key) as Item;
  return [item, operation === 'PutItem' ? validateItem(item, table) : validateKey(item, table)] as const;
};

export type BatchRequest = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };
export const batchRequests = (data: Body) =>
  Object.entries(data.RequestItems as Record<string, BatchRequest[]>).flatMap(([table, requests]) =>
    requests.map((request) => [table, request] as const),
  );

// A request without a valid key has none: the operation refuses the whole batch itself.
async function keyOf(store: Store, name: string, { PutRequest, DeleteRequest }: BatchRequest) {
  const table = await tableOf(store, name);
  const operation = PutRequest ? 'PutItem' : 'DeleteItem';
  const [item, refused] = addressOf(operation, { Item: PutRequest?.Item, Key: DeleteRequest?.Key }, table);
  return refused ? [] : [lockKey({ table: name, key: createKey(item, table) })];
}

// A store that reads from the real one and only records writes. The caller holds its locks already.
function recordWrites(store: Store): { store: Store; writes: Write[] } {
  const writes: Write[] = [];
  const noting = (prefix: string, { get }: Section): Section => ({
    get,
    put: (key, value, done) => {
      writes.push({ type: 'put', key: prefix + key, value });
      done(null);
    },
    del: (key, done) => {
      writes.push({ type: 'del', key: prefix + key });
      done(null);
    },
    lock: (_key, work) => work((done) => done),
  });
  return {
    writes,
    store: {
      ...store,
      getItemDb: (table) => noting(itemPrefix(table), store.getItemDb(table)),
      getIndexDb: (kind, table, index) =>
        noting(indexPrefix(kind, table, index), store.getIndexDb(kind, table, index)),
    },
  };
}
