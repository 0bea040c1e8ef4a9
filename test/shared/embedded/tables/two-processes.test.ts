import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../../shared/embedded/stores.ts';
import { runs, SEED } from '../../../faults/fuzz.ts';
import { ACCOUNTS, BALANCE, TableName } from './accounts.ts';

const TURNS = runs(10_000, 0.03);

type Done = { readonly transfers: number; readonly increments: number; readonly refused: number };
type Row = Readonly<
  Record<'pk', { S: string }> & Record<'balance' | 'n' | 'from' | 'to' | 'amount', { N: string }>
>;

async function newFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-two-processes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { tables, close } = openStores({ folder });
  await tables.run('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
  const put = (pk: string, more: object) =>
    tables.run('PutItem', { TableName, Item: { pk: { S: pk }, ...more } });
  for (const account of ACCOUNTS) await put(account, { balance: { N: String(BALANCE) } });
  for (const counter of ['VERSION', 'TRANSFERS']) await put(counter, { n: { N: '0' } });
  close();
  return folder;
}

async function rowsIn(folder: string): Promise<Row[]> {
  const { tables, close } = openStores({ folder });
  onTestFinished(close);
  const rows: Row[] = [];
  let ExclusiveStartKey: object | undefined;
  do {
    const page = (await tables.run('Scan', { TableName, ExclusiveStartKey })) as {
      Items: Row[];
      LastEvaluatedKey?: object;
    };
    rows.push(...page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows;
}

async function transferIn(folder: string, name: string, seed: number): Promise<Done> {
  const script = join(import.meta.dirname, 'transfer.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    folder,
    name,
    String(TURNS),
    String(seed),
  ]);
  return JSON.parse(stdout);
}

//   process 1  |--a to b--|      |--b to c--|--version 1 to 2: refused
//   process 2         |--c to a--|       |--version 1 to 2--|
test('transactions of two processes on one folder leave what some order of them leaves', async () => {
  console.log(`Two processes with FUZZ_SEED=${SEED}`);
  const folder = await newFolder();
  const done = await Promise.all(['one', 'other'].map((name, n) => transferIn(folder, name, SEED + n)));
  const rows = await rowsIn(folder);
  const sum = (of: keyof Done): number => done.reduce((total, each) => total + each[of], 0);
  const counter = (pk: string): number => Number(rows.find((row) => row.pk.S === pk)?.n.N);
  const receipts = rows.filter(({ pk }) => pk.S.startsWith('RECEIPT#'));

  expect(sum('refused')).toBeGreaterThan(0);
  expect(sum('transfers')).toBeGreaterThan(0);
  expect(counter('VERSION')).toBe(sum('increments'));
  expect([counter('TRANSFERS'), receipts.length]).toEqual([sum('transfers'), sum('transfers')]);
  const balances = ACCOUNTS.map((account) => Number(rows.find(({ pk }) => pk.S === account)?.balance.N));
  expect(Math.min(...balances)).toBeGreaterThanOrEqual(0);
  const moved = ACCOUNTS.map((_, account) =>
    receipts.reduce((total, { from, to, amount }) => {
      const sign = Number(to.N) === account ? 1 : Number(from.N) === account ? -1 : 0;
      return total + sign * Number(amount.N);
    }, BALANCE),
  );
  expect(balances).toEqual(moved);
});
