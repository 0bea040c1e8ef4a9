import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openStores, type Stores } from '../../../../shared/embedded/stores.ts';
import { ACCOUNTS, BALANCE, TableName } from './accounts.ts';

const Bucket = 'copies';
const TABLE = {
  TableName,
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};
type Row = Readonly<Record<string, { S?: string; N?: string; B?: string }>>;
type Description = { readonly ExportArn: string; readonly ExportStatus: string; readonly ItemCount?: number };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-exports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function filled(options: { folder?: string; now?: () => number } = {}): Promise<Stores> {
  const stores = openStores(options);
  onTestFinished(stores.close);
  await stores.objects.run('CreateBucket', { Bucket });
  await stores.tables.run('CreateTable', TABLE);
  return stores;
}

const put = ({ tables }: Stores, pk: string, more: object = {}) =>
  tables.run('PutItem', { TableName, Item: { pk: { S: pk }, ...more } });

async function begin({ tables }: Stores, more: object = {}): Promise<Description> {
  const { Table } = (await tables.run('DescribeTable', { TableName })) as { Table: { TableArn: string } };
  const request = { TableArn: Table.TableArn, S3Bucket: Bucket, S3Prefix: 'some/place', ...more };
  const { ExportDescription } = (await tables.run('ExportTableToPointInTime', request)) as {
    ExportDescription: Description;
  };
  return ExportDescription;
}

const describeExport = async ({ tables }: Stores, ExportArn: string): Promise<Description> =>
  ((await tables.run('DescribeExport', { ExportArn })) as { ExportDescription: Description })
    .ExportDescription;

async function ended(stores: Stores, arn: string): Promise<Description> {
  await expect
    .poll(async () => (await describeExport(stores, arn)).ExportStatus, { timeout: 30_000 })
    .not.toBe('IN_PROGRESS');
  return describeExport(stores, arn);
}

async function read({ objects }: Stores, Key: string): Promise<Buffer> {
  const { Body } = (await objects.run('GetObject', { Bucket, Key })) as {
    Body: { transformToByteArray(): Promise<Uint8Array> };
  };
  return Buffer.from(await Body.transformToByteArray());
}

/** The items of an export by its manifest, file by file. */
async function exported(stores: Stores, arn: string): Promise<Row[][]> {
  const folder = `some/place/AWSDynamoDB/${arn.split('/').at(-1)}/`;
  const summary = JSON.parse((await read(stores, `${folder}manifest-summary.json`)).toString());
  expect(summary).toMatchObject({ exportArn: arn, manifestFilesS3Key: `${folder}manifest-files.json` });
  const lines = (text: Buffer) => text.toString().trimEnd().split('\n').filter(Boolean);
  const files = lines(await read(stores, summary.manifestFilesS3Key)).map((line) => JSON.parse(line));
  const items: Row[][] = [];
  for (const { dataFileS3Key, itemCount } of files) {
    expect(dataFileS3Key).toMatch(/^some\/place\/AWSDynamoDB\/[\d-]+[0-9a-f]*\/data\/\w+\.json\.gz$/);
    const found = lines(gunzipSync(await read(stores, dataFileS3Key))).map((line) => JSON.parse(line).Item);
    expect(found).toHaveLength(itemCount);
    items.push(found);
  }
  expect(items.flat()).toHaveLength(summary.itemCount);
  return items;
}

test.each([
  ['in a folder', newFolder],
  ['in memory', () => undefined],
])('an export of a store %s has every item as it was when it began, in several files', async (_, where) => {
  const folder = where();
  const stores = await filled(folder === undefined ? {} : { folder });
  const text = { S: 'x'.repeat(300_000) };
  for (let n = 0; n < 40; n++) await put(stores, `item ${n}`, { text });
  await put(stores, 'bytes', { bytes: { B: Uint8Array.of(0, 255) } });
  const begun = await begin(stores);
  expect(begun).toMatchObject({ ExportStatus: 'IN_PROGRESS', ExportTime: expect.any(Date) });
  await Promise.all([put(stores, 'later'), put(stores, 'item 0', { text: { S: 'changed' } })]);
  expect(await ended(stores, begun.ExportArn)).toMatchObject({ ExportStatus: 'COMPLETED', ItemCount: 41 });
  const files = await exported(stores, begun.ExportArn);
  expect(files.length).toBeGreaterThan(1);
  const items = new Map(files.flat().map((item) => [item.pk?.S, item]));
  expect(items.size).toBe(41);
  expect(items.get('item 0')).toEqual({ pk: { S: 'item 0' }, text });
  expect(items.get('bytes')?.bytes).toEqual({ B: 'AP8=' });
});

//   process 1  |--a to b--|--b to c--|--c to a--| ...
//   process 2    |--c to a--|--a to b--| ...
//   this one          |--export--|  |--export--|      each has both sides of a transfer, and its receipt
test('exports while two other processes write have every transaction wholly or not at all', async () => {
  const folder = newFolder();
  const stores = await filled({ folder });
  for (const account of ACCOUNTS) await put(stores, account, { balance: { N: String(BALANCE) } });
  for (const counter of ['VERSION', 'TRANSFERS']) await put(stores, counter, { n: { N: '0' } });
  const script = join(import.meta.dirname, 'transfer.ts');
  let writing = 2;
  const writers = ['one', 'other'].map(async (name, n) => {
    await promisify(execFile)(process.execPath, [script, folder, name, '300', String(n + 1)]);
    writing -= 1;
  });
  const counts = new Set<number>();
  while (writing > 0) {
    const { ExportArn } = await begin(stores);
    expect(await ended(stores, ExportArn)).toMatchObject({ ExportStatus: 'COMPLETED' });
    const items = (await exported(stores, ExportArn)).flat();
    const receipts = items.filter(({ pk }) => pk?.S?.startsWith('RECEIPT#'));
    const numberOf = (pk: string, name: string) => Number(items.find((item) => item.pk?.S === pk)?.[name]?.N);
    expect(numberOf('TRANSFERS', 'n')).toBe(receipts.length);
    const moved = (account: number, side: string): number =>
      receipts
        .filter((each) => Number(each[side]?.N) === account)
        .reduce((sum, each) => sum + Number(each.amount?.N), 0);
    ACCOUNTS.forEach((account, n) => {
      expect(numberOf(account, 'balance')).toBe(BALANCE + moved(n, 'to') - moved(n, 'from'));
    });
    counts.add(receipts.length);
  }
  await Promise.all(writers);
  expect(counts.size).toBeGreaterThan(2);
});

test('the same request again is the same export', async () => {
  const stores = await filled();
  const [first, again] = await Promise.all([
    begin(stores, { ClientToken: 'one' }),
    begin(stores, { ClientToken: 'one' }),
  ]);
  expect(again.ExportArn).toBe(first.ExportArn);
  await ended(stores, first.ExportArn);
  expect((await begin(stores, { ClientToken: 'one' })).ExportStatus).toBe('COMPLETED');
  expect((await begin(stores, { ClientToken: 'other' })).ExportArn).not.toBe(first.ExportArn);
});

test('an export whose process was killed has failed when it stands still', async () => {
  const folder = newFolder();
  let skippedMs = 0;
  const stores = await filled({ folder, now: () => Date.now() + skippedMs });
  await put(stores, 'a');
  const writer = fork(join(import.meta.dirname, 'export-and-stall.ts'), [folder, Bucket], { execArgv: [] });
  const [arn] = (await once(writer, 'message')) as [string];
  writer.kill('SIGKILL');
  expect((await describeExport(stores, arn)).ExportStatus).toBe('IN_PROGRESS');
  skippedMs = 61_000;
  expect(await describeExport(stores, arn)).toMatchObject({
    ExportStatus: 'FAILED',
    FailureMessage: 'The process that wrote it was stopped.',
  });
});

test('an export to a bucket that is not there fails, and one that is not there is not found', async () => {
  const stores = await filled();
  const { ExportArn } = await begin(stores, { S3Bucket: 'none' });
  expect(await ended(stores, ExportArn)).toMatchObject({
    ExportStatus: 'FAILED',
    FailureCode: 'NoSuchBucket',
  });
  await expect(describeExport(stores, 'none')).rejects.toMatchObject({ name: 'ExportNotFoundException' });
  await expect(begin(stores, { ExportFormat: 'ION' })).rejects.toThrow('does not implement ExportFormat');
});
