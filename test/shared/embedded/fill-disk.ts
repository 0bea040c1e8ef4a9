// Run by full-disk.test.ts: fills the disk of a store, makes room again, and prints what was seen.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { provideStores } from '../../../shared/embedded/provided.ts';
import { openStores } from '../../../shared/embedded/stores.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { checkReachable } from '../../../shared/store/availability.ts';

const [folder = '', way = ''] = process.argv.slice(2);
const BLOCK = Buffer.alloc(64 * 1_024);
const LEFT_BLOCKS = 40;

/** Takes the room, but for some blocks, and gives it back. */
const ways: Record<string, { take: () => void; free: () => void }> = {
  'file system': { take: fillFileSystem, free: () => rmSync(join(folder, 'filler')) },
  'file size': {
    take: () => limitFiles(String(LEFT_BLOCKS * BLOCK.length)),
    free: () => limitFiles('unlimited'),
  },
};

function fillFileSystem(): void {
  const filler = openSync(join(folder, 'filler'), 'w');
  let written = 0;
  try {
    for (;;) written += writeSync(filler, BLOCK);
  } catch {}
  closeSync(filler);
  execFileSync('truncate', ['-s', String(written - LEFT_BLOCKS * BLOCK.length), join(folder, 'filler')]);
}

function limitFiles(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
}

const TableName = tableName('batch');
let stores = openStores({ folder });
provideStores(stores);
const run = (command: string, request: object) => stores.tables.run(command, { TableName, ...request });
const put = (n: number) =>
  run('PutItem', { Item: { pk: { S: `item ${n}` }, sk: { S: 'x' }, text: { S: 'x'.repeat(50_000) } } });
const countFrom = async (ExclusiveStartKey?: object): Promise<number> => {
  const page = await run('Scan', { Select: 'COUNT', ExclusiveStartKey });
  const { Count, LastEvaluatedKey } = page as { Count: number; LastEvaluatedKey?: object };
  return Count + (LastEvaluatedKey ? await countFrom(LastEvaluatedKey) : 0);
};
const seen: Record<string, unknown> = {};

await run('CreateTable', {
  AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
});
seen.readyBefore = (await checkReachable('batch')).ok;
ways[way]?.take();
let answered = 0;
for (let n = 0; n < 1_000 && !seen.refusal; n++)
  await put(n).then(
    () => {
      answered += 1;
    },
    ({ name, status, message }) => {
      seen.refusal = { name, status, message };
    },
  );
seen.answered = answered;
seen.readWhileFull = await countFrom();
seen.readyWhileFull = await checkReachable('batch');
ways[way]?.free();
seen.readyAfter = (await checkReachable('batch')).ok;
await put(1_000);
stores.close();
stores = openStores({ folder });
seen.readAfter = await countFrom();
stores.close();
console.log(JSON.stringify(seen));
