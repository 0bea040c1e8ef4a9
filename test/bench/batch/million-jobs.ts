import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newJob } from '../../../functions/batch/jobs/domain/job/job.ts';
import { createDeclared } from '../../../infra/local/resources/create.ts';
import { readDeclared } from '../../../infra/local/resources/read.ts';
import { startEmulators } from '../../../infra/local/stores/emulators.ts';
import { openStores } from '../../../shared/embedded/stores.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { type Key, toAttributes } from '../../../shared/store/item.ts';
import { nodeKey } from '../../../shared/store/ledger/nodes.ts';
import { HEAD } from '../../../shared/store/ledger/shard.ts';
import { viewKey } from '../../../shared/store/lists/changes.ts';
import { ALL, amountName, countsOfAmount } from '../../../shared/store/lists/counts.ts';
import { entryKey } from '../../../shared/store/lists/entries.ts';

// Run by pages.ts in a process of its own: stores whose list of jobs has a million entries. Created one by one they
// would take hours, so they are written past the lists, entries and counts as a list has them when its records
// are folded. Only the jobs of the pages that are read exist: a read of the others would cost the same.

const LIST = 'jobs';
const SHARDS = 2;
const APART_MS = 6_000;
const PER_WRITE = 5_000;

const [jobCount = 0, newestMs = 0, pageSize = 0] = process.argv.slice(2).map(Number);

type Row = Key & Readonly<Record<string, unknown>>;

/** The id of the nth newest job. */
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

// As a ledger chooses it.
const shardOf = (id: string): number => (createHash('sha256').update(id).digest()[0] ?? 0) % SHARDS;

// As a list of jobs writes them.
const factsOf = (id: string): readonly string[] => [
  'status:Completed',
  'source:Upload',
  'format:Cades',
  'encryption:',
  'profile:default',
  `name:${id}.bin`,
  'reference:',
];

function* items(): Generator<Row> {
  const counts = Array.from({ length: SHARDS }, () => new Map<string, Record<string, number>>());
  for (let n = 0; n < jobCount; n++) {
    const atMs = newestMs - n * APART_MS;
    const iso = new Date(atMs).toISOString();
    const id = idOf(n);
    const shard = shardOf(id);
    yield { pk: viewKey(LIST, ALL, shard), sk: entryKey(iso, id), facts: factsOf(id) };
    for (const { node, field } of countsOfAmount(amountName(iso, ALL))) {
      const fields = counts[shard]?.get(node) ?? {};
      counts[shard]?.set(node, Object.assign(fields, { [field]: (fields[field] ?? 0) + 1 }));
    }
    if (n < pageSize || n >= jobCount - pageSize) yield jobItem(id, atMs);
  }
  for (const [shard, nodes] of counts.entries()) {
    const key = { table: tableName('batch'), pk: `LEDGER#${LIST}#${shard}` };
    for (const [node, fields] of nodes) {
      const place = node === '' ? { pk: key.pk, sk: HEAD, folded: [], nodes: [] } : nodeKey(key, node);
      yield { ...place, generation: 1, ...fields };
    }
  }
}

function jobItem(id: string, atMs: number): Row {
  const request = {
    id,
    fileName: `${id}.bin`,
    originalPath: null,
    folder: null,
    inputShare: null,
    inputKey: null,
    format: 'Cades',
    source: 'Upload',
    parentJobId: null,
    profileName: 'default',
    externalReference: null,
    encryption: null,
    encryptionEnabled: false,
  } as const;
  return {
    pk: `JOB#${id}`,
    sk: 'JOB',
    version: '1',
    ...newJob(request, 'Uploaded.', atMs),
    state: 'Completed',
  };
}

async function fill(folder: string): Promise<void> {
  const store = openStores({ folder });
  let writes: Promise<object>[] = [];
  for (const item of items()) {
    writes.push(store.tables.run('PutItem', { TableName: tableName('batch'), Item: toAttributes(item) }));
    if (writes.length < PER_WRITE) continue;
    await Promise.all(writes);
    writes = [];
  }
  await Promise.all(writes);
  store.close();
}

const dataDir = mkdtempSync(join(tmpdir(), 'sinete-million-'));
process.env.STAGE = 'local';
const empty = await startEmulators({ dataDir });
Object.assign(process.env, empty.env);
await createDeclared(readDeclared(process.cwd(), 'local'));
await empty.stop();
await fill(join(dataDir, 'store'));
const { env } = await startEmulators({ dataDir });
process.send?.(env);
process.on('disconnect', () => {
  rmSync(dataDir, { recursive: true });
  process.exit(0);
});
