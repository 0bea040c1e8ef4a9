import { createHash } from 'node:crypto';
import type { Database } from '../database.ts';
import { canceled, invalid, isConditionFailure, isInvalid, type Reason, tokenReused } from './errors.ts';
import type { Reads } from './reads.ts';
import { onlyKnown, type Request } from './request.ts';
import type { Guard } from './strict.ts';
import type { Tables } from './tables.ts';
import { itemBytes, mayExceed } from './values.ts';
import {
  type Change,
  changeBy,
  type Draft,
  draftWrite,
  makeChange,
  type Write,
  type WriteKind,
} from './writes.ts';

const MAX_ITEMS = 100;
const MAX_BYTES = 4 * 1_024 * 1_024;
/** How long DynamoDB remembers a ClientRequestToken. */
const TOKEN_KEPT_MS = 10 * 60 * 1_000;

const NEEDED: Partial<Record<WriteKind, string>> = {
  Update: 'UpdateExpression',
  ConditionCheck: 'ConditionExpression',
};
const KINDS = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const;

export function createTransactions(
  database: Database,
  tables: Tables,
  reads: Reads,
  guard: Guard,
  now: () => number,
) {
  async function transactWrite(request: Request): Promise<object> {
    onlyKnown(request, ['TransactItems', 'ClientRequestToken']);
    const items = itemsIn(request);
    const drafts = items.map((item, index) => draftItem(tables, item, index));
    const writes = each(drafts, (draft) => draft());
    if (new Set(writes.map(({ id }) => id)).size < writes.length)
      throw invalid('Transaction request cannot include multiple operations on one item');
    const token = request.ClientRequestToken as string | undefined;
    return guard.transaction(writes, token, () => database.commit(() => commit(writes, token, items)));
  }

  // The token is written with the items it stands for. So a caller that lost the answer, even to a killed process, can ask
  // again and gets the same answer.
  function commit(writes: readonly Write[], token: string | undefined, items: unknown): object {
    const hash = token && createHash('sha256').update(JSON.stringify(items)).digest('base64');
    if (token && hash) {
      const seen = database.get('SELECT request, at FROM tokens WHERE token = ?', token);
      if (seen && Number(seen.at) > now() - TOKEN_KEPT_MS) {
        if (seen.request !== hash) throw tokenReused();
        return {};
      }
    }
    const changes = each(writes, (write) => changeBy(database, tables, write));
    refuseTooLarge(changes);
    guard.take('transactions', changes);
    for (const change of changes) makeChange(database, change);
    if (token && hash) database.run('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)', token, hash, now());
    return {};
  }

  async function transactGet(request: Request): Promise<object> {
    onlyKnown(request, ['TransactItems']);
    const gets = itemsIn(request).map((item) => (item as { Get: Request }).Get);
    const writes = each(gets, ({ TableName, Key }) =>
      draftWrite(tables, 'ConditionCheck', { TableName, Key })(),
    );
    return guard.transactionRead(writes, () => {
      const found = gets.map((get) => reads.get(get));
      const bytes = found.reduce((sum, item) => sum + (item ? itemBytes(item) : 0), 0);
      if (bytes > MAX_BYTES) throw invalid('The items of one transaction cannot exceed 4 MB');
      return { Responses: found.map((item) => (item ? { Item: item } : {})) };
    });
  }

  const forgetTokens = (): void => database.run('DELETE FROM tokens WHERE at <= ?', now() - TOKEN_KEPT_MS);

  return { transactWrite, transactGet, forgetTokens };
}

function refuseTooLarge(changes: readonly Change[]): void {
  const sum = (of: (change: Change) => number) => changes.reduce((total, each) => total + of(each), 0);
  if (
    mayExceed(
      sum(({ text }) => text?.length ?? 0),
      MAX_BYTES,
    ) &&
    sum(({ after }) => (after ? itemBytes(after) : 0)) > MAX_BYTES
  )
    throw invalid('Collection size of items in the transaction exceeds 4 MB');
}

function draftItem(tables: Tables, item: unknown, index: number): Draft {
  const entries = Object.entries(item as Record<string, Request | undefined>).filter(
    ([, value]) => value !== undefined,
  );
  const [kind, request] = entries[0] ?? [];
  if (entries.length !== 1 || !request || !KINDS.includes(kind as WriteKind))
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  const needed = NEEDED[kind as WriteKind];
  if (needed && !request[needed])
    throw invalid(
      `1 validation error detected: Value null at 'transactItems.${index + 1}.member.${lowerFirst(String(kind))}.${lowerFirst(needed)}' failed to satisfy constraint: Member must not be null`,
    );
  return draftWrite(tables, kind as WriteKind, request);
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

function itemsIn({ TransactItems: items }: Request): readonly unknown[] {
  if (!Array.isArray(items) || items.length < 1) throw invalid(bounds('greater than or equal to 1'));
  if (items.length > MAX_ITEMS) throw invalid(bounds(`less than or equal to ${MAX_ITEMS}`));
  return items;
}

const bounds = (limit: string): string =>
  `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${limit}`;

/** Every result, or one cancellation that gives each item its reason, in the order of the request. */
function each<T, R>(of: readonly T[], work: (one: T) => R): R[] {
  const results: R[] = [];
  const reasons: Reason[] = [];
  let isCanceled = false;
  of.forEach((one) => {
    try {
      results.push(work(one));
      reasons.push({ Code: 'None' });
    } catch (error) {
      if (!isConditionFailure(error) && !isInvalid(error)) throw error;
      isCanceled = true;
      const Code = isConditionFailure(error) ? 'ConditionalCheckFailed' : 'ValidationError';
      reasons.push({ Code, Message: error.message, ...error.more });
    }
  });
  if (isCanceled) throw canceled(reasons);
  return results;
}
