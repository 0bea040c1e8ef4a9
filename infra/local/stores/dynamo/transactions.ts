import { createHash } from 'node:crypto';
import {
  type Body,
  checkRequest,
  type Item,
  itemSize,
  lowerFirst,
  run,
  type Store,
  type Write,
} from './dynalite.ts';
import { canceled, invalid, isConditionFailure, isInvalid, tokenReused } from './errors.ts';
import { TOKEN_PREFIX } from './keys.ts';
import type { Lock } from './lock.ts';
import type { Change, Throughput } from './throughput.ts';
import { changeOf, lockKey, type Step, type Writes } from './writes.ts';

const MAX_ITEMS = 100;
const MAX_READ_BYTES = 4 * 1024 * 1024;
/** How long DynamoDB remembers a ClientRequestToken. */
export const TOKEN_KEPT_MS = 10 * 60 * 1000;
export type SeenToken = { request: string; at: number };

type Kind = { operation: string; changes: boolean; needs?: string };
const KINDS: Record<string, Kind> = {
  Put: { operation: 'PutItem', changes: true },
  Update: { operation: 'UpdateItem', changes: true, needs: 'UpdateExpression' },
  Delete: { operation: 'DeleteItem', changes: true },
  // A delete whose write is thrown away: the same key, the same condition, no change.
  ConditionCheck: { operation: 'DeleteItem', changes: false, needs: 'ConditionExpression' },
};

type Reason = Body & { Code: string };
type Planned = { step: Step; changes: boolean };

export function createTransactions(
  store: Store,
  lock: Lock,
  throughput: Throughput,
  writes: Writes,
  now: () => number,
) {
  async function transactWrite(body: Body): Promise<Body> {
    const plans = transactItems(body).map(plan);
    const planned = await settled(
      plans.map(async ({ write, changes }) => ({ step: await writes.locate(write), changes })),
    );
    const keys = planned.map(({ step }) => lockKey(step));
    if (new Set(keys).size < keys.length) {
      throw invalid('Transaction request cannot include multiple operations on one item');
    }
    const token = body.ClientRequestToken ? `${TOKEN_PREFIX}${body.ClientRequestToken}` : undefined;
    return lock.transaction(token ? [...keys, token] : keys, () =>
      commit(planned, token, body.TransactItems),
    );
  }

  // The token is written with the items it stands for. So a caller that lost the answer, even to a killed
  // process, can ask again and gets the same answer.
  async function commit(steps: Planned[], token: string | undefined, request: unknown): Promise<Body> {
    const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64');
    if (token) {
      const before = (await store.db.get(token)) as SeenToken | undefined;
      if (before && before.at > now() - TOKEN_KEPT_MS) {
        if (before.request !== hash) throw tokenReused();
        return {};
      }
    }
    const results = await settled(steps.map(({ step }) => writes.stage(step)));
    const changes = results.map((result, index) => changeIn(steps[index] as Planned, result.writes));
    await throughput.take('transactions', changes);
    const noted = results.flatMap((result, index) => (steps[index]?.changes ? result.writes : []));
    const seen: SeenToken = { request: hash, at: now() };
    if (token) noted.push({ type: 'put', key: token, value: seen });
    await store.db.batch(noted);
    return {};
  }

  function plan(entry: Record<string, Body>, index: number) {
    const [action, ...more] = Object.entries(entry);
    const kind = action && KINDS[action[0]];
    if (!kind || more.length > 0) {
      throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    }
    const [name, body] = action;
    if (kind.needs && !body[kind.needs]) {
      throw invalid(
        `1 validation error detected: Value null at 'transactItems.${index + 1}.member.${lowerFirst(name)}.` +
          `${lowerFirst(kind.needs)}' failed to satisfy constraint: Member must not be null`,
      );
    }
    return { write: writes.check(kind.operation, body), changes: kind.changes };
  }

  async function transactGet(body: Body): Promise<Body> {
    const gets = transactItems(body).map((entry) => checkRequest('GetItem', entry.Get ?? {}, store));
    const steps = await settled(
      gets.map((data) => writes.locate({ operation: 'GetItem', data, returnOld: false })),
    );
    return lock.transactionRead(steps.map(lockKey), async () => {
      const found = await Promise.all(gets.map((data) => run('GetItem', store, data)));
      const bytes = found.reduce((sum, { Item }) => sum + (Item ? itemSize(Item as Item) : 0), 0);
      if (bytes > MAX_READ_BYTES) throw invalid('The items of one transaction cannot exceed 4 MB');
      return { Responses: found.map(({ Item }) => (Item ? { Item } : {})) };
    });
  }

  return { transactWrite, transactGet };
}

const changeIn = ({ step, changes }: Planned, writes: Write[]): Change =>
  changes ? changeOf(step, writes) : { ...changeOf(step, writes), after: 'unchanged' };

function transactItems({ TransactItems: items }: Body): Record<string, Body>[] {
  if (!Array.isArray(items) || items.length < 1) {
    throw invalid(bounds('greater than or equal to 1'));
  }
  if (items.length > MAX_ITEMS) throw invalid(bounds(`less than or equal to ${MAX_ITEMS}`));
  return items;
}

const bounds = (limit: string) =>
  `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${limit}`;

// All results, or one refusal that gives every item its reason, in the order of the request.
async function settled<T>(work: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const other = failures.find((error) => !isConditionFailure(error) && !isInvalid(error));
  if (other) throw other;
  if (failures.length > 0) throw canceled(results.map(reasonOf));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function reasonOf(result: PromiseSettledResult<unknown>): Reason {
  if (result.status === 'fulfilled') return { Code: 'None' };
  const { message, Item } = result.reason.body as Body;
  const Code = isConditionFailure(result.reason) ? 'ConditionalCheckFailed' : 'ValidationError';
  return { Code, Message: message, ...(Item ? { Item } : {}) };
}
