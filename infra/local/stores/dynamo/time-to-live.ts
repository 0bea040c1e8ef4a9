import { type Body, type Item, type Store, tableOf } from './dynalite.ts';
import { invalid, isConditionFailure, isTransient } from './errors.ts';
import { EXPIRY_PREFIX, itemPrefix, TOKEN_PREFIX, within } from './keys.ts';
import { type SeenToken, TOKEN_KEPT_MS } from './transactions.ts';
import type { Writes } from './writes.ts';

// DynamoDB takes an older time for a mistake and keeps the item.
const TOO_OLD_SECONDS = 5 * 365 * 24 * 60 * 60;

type Setting = { AttributeName: string; Enabled: boolean };

export function createTimeToLive(store: Store, writes: Writes, now: () => number) {
  const settingOf = async (table: string) =>
    (await store.db.get(EXPIRY_PREFIX + table)) as Setting | undefined;

  async function update({ TableName, TimeToLiveSpecification }: Body): Promise<Body> {
    const { TableName: table } = await tableOf(store, String(TableName));
    const wanted = TimeToLiveSpecification as Setting;
    if (Boolean((await settingOf(table))?.Enabled) === wanted.Enabled) {
      throw invalid(`TimeToLive is already ${wanted.Enabled ? 'enabled' : 'disabled'}`);
    }
    await store.db.batch([{ type: 'put', key: EXPIRY_PREFIX + table, value: wanted }]);
    return { TimeToLiveSpecification: wanted };
  }

  async function describe({ TableName }: Body): Promise<Body> {
    const { TableName: table } = await tableOf(store, String(TableName));
    const setting = await settingOf(table);
    return {
      TimeToLiveDescription: setting?.Enabled
        ? { TimeToLiveStatus: 'ENABLED', AttributeName: setting.AttributeName }
        : { TimeToLiveStatus: 'DISABLED' },
    };
  }

  /** Deletes expired items, and gives their number. */
  async function collect(): Promise<number> {
    await collectTokens();
    let collected = 0;
    for await (const [key, setting] of store.db.iterator(within(EXPIRY_PREFIX))) {
      const { Enabled, AttributeName } = setting as Setting;
      if (Enabled) collected += await collectTable(key.slice(EXPIRY_PREFIX.length), AttributeName);
    }
    return collected;
  }

  async function collectTable(name: string, attribute: string): Promise<number> {
    const table = await tableOf(store, name);
    const seconds = Math.floor(now() / 1000);
    let collected = 0;
    for await (const [, value] of store.db.iterator(within(itemPrefix(name)))) {
      const item = value as Item;
      const expiry = Number(item[attribute]?.N);
      if (!(expiry < seconds && expiry > seconds - TOO_OLD_SECONDS)) continue;
      const Key = Object.fromEntries(
        table.KeySchema.map((part) => [part.AttributeName, item[part.AttributeName]]),
      );
      if (await deleteUnchanged(name, Key, attribute, item)) collected++;
    }
    return collected;
  }

  // An item that gets more time between the read and the delete stays, and so does one that a transaction has.
  async function deleteUnchanged(table: string, Key: Body, attribute: string, seen: Item): Promise<boolean> {
    try {
      await writes.single('DeleteItem', {
        TableName: table,
        Key,
        ConditionExpression: '#expiry = :seen',
        ExpressionAttributeNames: { '#expiry': attribute },
        ExpressionAttributeValues: { ':seen': seen[attribute] },
      });
      return true;
    } catch (error) {
      if (isConditionFailure(error) || isTransient(error)) return false;
      throw error;
    }
  }

  async function collectTokens() {
    const old: string[] = [];
    for await (const [key, seen] of store.db.iterator(within(TOKEN_PREFIX))) {
      if ((seen as SeenToken).at <= now() - TOKEN_KEPT_MS) old.push(key);
    }
    await store.db.batch(old.map((key) => ({ type: 'del', key })));
  }

  return { update, describe, collect };
}
