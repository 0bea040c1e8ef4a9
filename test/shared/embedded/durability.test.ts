import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../shared/embedded/stores.ts';

const TABLE = {
  TableName: 'things',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};
const item = (pk: string, text = '') => ({ TableName: 'things', Item: { pk: { S: pk }, text: { S: text } } });
const get = (pk: string) => ({ TableName: 'things', Key: { pk: { S: pk } } });

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that was filled and closed as by kill -9: its log is still there. */
async function filled(): Promise<string> {
  const folder = newFolder();
  const script = `
    const { openStores } = await import(${JSON.stringify(join(process.cwd(), 'shared/embedded/stores.ts'))});
    const store = openStores({ folder: ${JSON.stringify(folder)} });
    await store.tables.run('CreateTable', ${JSON.stringify(TABLE)});
    for (let n = 0; n < 60; n++)
      await store.tables.run('PutItem', { TableName: 'things', Item: { pk: { S: 'item ' + n }, text: { S: 'x'.repeat(2000) } } });
    process.kill(process.pid, 'SIGKILL');
  `;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]).catch((error) => {
    if (error.signal !== 'SIGKILL') throw error;
  });
  return folder;
}

test('a log that was cut is told at the start, and nothing is changed', async () => {
  const folder = await filled();
  const log = join(folder, 'store.db-wal');
  truncateSync(log, Math.floor(statSync(log).size / 2));
  expect(() => openStores({ folder })).toThrow(
    /is damaged: .*commit \d+ was answered.*Put a backup in its place/,
  );
});

test('a file that was cut is told at the start', async () => {
  const folder = await filled();
  openStores({ folder }).close();
  const file = join(folder, 'store.db');
  truncateSync(file, statSync(file).size - 8_192);
  expect(() => openStores({ folder })).toThrow(/is damaged/);
});

test('a damaged page is told at the start', async () => {
  const folder = await filled();
  openStores({ folder }).close();
  const file = join(folder, 'store.db');
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 3 * 8_192, 4 * 8_192);
  writeFileSync(file, bytes);
  expect(() => openStores({ folder })).toThrow(/is damaged/);
});

test('what is no database is told at the start', () => {
  const folder = newFolder();
  writeFileSync(
    join(folder, 'store.db'),
    'a text that somebody put here, longer than a header of a database is by far '.repeat(4),
  );
  expect(() => openStores({ folder })).toThrow(/is damaged/);
});

//   process 1  |--creates a table, writes a---------------- reads b--|
//   process 2                              |--reads a, writes b--|
test('two processes on one folder see what the other wrote', async () => {
  const folder = newFolder();
  const [one, other] = [openStores({ folder }), openStores({ folder })];
  onTestFinished(() => {
    for (const { close } of [one, other]) close();
  });
  await one.tables.run('CreateTable', TABLE);
  await one.tables.run('PutItem', item('a', 'from one'));
  expect(await other.tables.run('GetItem', get('a'))).toEqual({ Item: item('a', 'from one').Item });
  await other.tables.run('PutItem', item('b', 'from the other'));
  expect(await one.tables.run('GetItem', get('b'))).toEqual({ Item: item('b', 'from the other').Item });
});

test('of conditional writers in two processes one wins', async () => {
  const folder = newFolder();
  const stores = [openStores({ folder }), openStores({ folder })];
  onTestFinished(() => {
    for (const { close } of stores) close();
  });
  await stores[0]?.tables.run('CreateTable', TABLE);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      stores[n % 2]?.tables.run('PutItem', {
        ...item('a', String(n)),
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

//   write 1  |--fits-------------|
//   write 2  |--condition fails--|  one commit for the turn: 1 and 3 are there, 2 is refused
//   write 3  |--fits-------------|
test('a refused write leaves the others of its commit alone', async () => {
  const store = openStores();
  onTestFinished(store.close);
  await store.tables.run('CreateTable', TABLE);
  const refused = { ...item('b'), ConditionExpression: 'attribute_exists(pk)' };
  const results = await Promise.allSettled(
    [item('a'), refused, item('c')].map((request) => store.tables.run('PutItem', request)),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const { Items } = (await store.tables.run('Scan', { TableName: 'things' })) as {
    Items: { pk: { S: string } }[];
  };
  expect(Items.map(({ pk }) => pk.S)).toEqual(['a', 'c']);
});

test('a write that is not yet committed when the store is closed is committed by it', async () => {
  const folder = newFolder();
  const store = openStores({ folder });
  await store.tables.run('CreateTable', TABLE);
  const written = store.tables.run('PutItem', item('a'));
  store.close();
  await written;
  // The turn in which the commit would have been made.
  await new Promise((resolve) => setImmediate(resolve));
  const again = openStores({ folder });
  onTestFinished(again.close);
  expect(await again.tables.run('GetItem', get('a'))).toEqual({ Item: item('a').Item });
});

test('what the store does not implement it refuses by name', async () => {
  const store = openStores();
  onTestFinished(store.close);
  await store.tables.run('CreateTable', TABLE);
  await expect(store.tables.run('ExecuteStatement', {})).rejects.toThrow(
    'does not implement ExecuteStatement',
  );
  await expect(store.tables.run('PutItem', { ...item('a'), Expected: {} })).rejects.toThrow(
    'does not implement Expected',
  );
});

test('deleted items give their space back to the disk, however they were deleted', async () => {
  const folder = newFolder();
  const store = openStores({ folder });
  await store.tables.run('CreateTable', TABLE);
  const numbers = Array.from({ length: 4_000 }, (_, n) => n);
  await Promise.all(numbers.map((n) => store.tables.run('PutItem', item(`item ${n}`, 'x'.repeat(8_000)))));
  await Promise.all(numbers.map((n) => store.tables.run('DeleteItem', get(`item ${n}`))));
  await store.tables.collectExpired();
  store.close();
  expect(statSync(join(folder, 'store.db')).size).toBeLessThan(1_000_000);
});

test('collected items give their space back to the disk', async () => {
  const folder = newFolder();
  const store = openStores({ folder });
  await store.tables.run('CreateTable', TABLE);
  const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
  await store.tables.run('UpdateTimeToLive', { TableName: 'things', TimeToLiveSpecification });
  const expired = { ttl: { N: String(Math.floor(Date.now() / 1_000) - 10) } };
  await Promise.all(
    Array.from({ length: 600 }, (_, n) => {
      const { TableName, Item } = item(`item ${n}`, 'x'.repeat(8_000));
      return store.tables.run('PutItem', { TableName, Item: { ...Item, ...expired } });
    }),
  );
  expect(await store.tables.collectExpired()).toBe(600);
  store.close();
  expect(statSync(join(folder, 'store.db')).size).toBeLessThan(1_000_000);
});
