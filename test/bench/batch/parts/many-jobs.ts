import { createHash } from 'node:crypto';
import { newJob } from '../../../../functions/batch/jobs/domain/job/job.ts';
import type { OwnStores } from '../../../../infra/local/stores/own.ts';
import type { TableStore } from '../../../../shared/embedded/tables/store.ts';
import { tableName } from '../../../../shared/settings/names.ts';
import { type Key, toAttributes } from '../../../../shared/store/item.ts';
import { nodeKey } from '../../../../shared/store/ledger/nodes.ts';
import { HEAD } from '../../../../shared/store/ledger/shard.ts';
import { contentOf, type NodeContent, storedContent } from '../../../../shared/store/ledger/tree.ts';
import { viewKey } from '../../../../shared/store/lists/changes.ts';
import { ALL, countsOfAmount } from '../../../../shared/store/lists/counts.ts';
import { entryKey } from '../../../../shared/store/lists/entries.ts';
import { startStores } from '../../measure/stores.ts';

const LIST = 'jobs';
const SHARDS = 2;
const APART_MS = 6_000;
const PER_WRITE = 5_000;
const NEWEST_MS = Date.parse('2026-03-02T12:00:00Z');

type Jobs = { readonly count: number; readonly pageSize: number };

type Row = Key & Readonly<Record<string, unknown>>;

/** The id of the nth newest job. */
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

// As a ledger chooses it.
const shardOf = (id: string): number => (createHash('sha256').update(id).digest()[0] ?? 0) % SHARDS;

// As a list of jobs writes them.
const factsOf = (id: string): readonly string[] => [
  'source:Upload',
  'format:Cades',
  'encryption:',
  'profile:default',
  `name:${id}.bin`,
  'reference:',
];

function* items({ count, pageSize }: Jobs): Generator<Row> {
  const counts = Array.from({ length: SHARDS }, () => new Map<string, NodeContent>());
  for (let n = 0; n < count; n++) {
    const atMs = NEWEST_MS - n * APART_MS;
    const iso = new Date(atMs).toISOString();
    const id = idOf(n);
    const shard = shardOf(id);
    yield { pk: viewKey(LIST, ALL, shard), sk: entryKey(iso, id), facts: factsOf(id) };
    // Down to the minute, as no page needs more among ten jobs a minute.
    const path = countsOfAmount(iso.slice(0, '2026-03-02T12:00'.length));
    for (const [level, { node, name }] of path.entries()) {
      const content = counts[shard]?.get(node) ?? contentOf({});
      content.amounts.set(name, (content.amounts.get(name) ?? 0) + 1);
      const next = path[level + 1]?.node;
      if (next !== undefined) content.below.add(next);
      counts[shard]?.set(node, content);
    }
    if (n < pageSize || n >= count - pageSize) yield jobItem(id, atMs);
  }
  for (const [shard, nodes] of counts.entries()) {
    const key = { table: tableName('batch'), pk: `LEDGER#${LIST}#${shard}` };
    for (const [node, content] of nodes) {
      const place = node === '' ? { pk: key.pk, sk: HEAD, folded: [], nodes: [] } : nodeKey(key, node);
      yield { ...place, generation: 1, ...storedContent(content) };
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

async function fill(tables: TableStore, jobs: Jobs): Promise<void> {
  let writes: Promise<object>[] = [];
  for (const item of items(jobs)) {
    writes.push(tables.run('PutItem', { TableName: tableName('batch'), Item: toAttributes(item) }));
    if (writes.length < PER_WRITE) continue;
    await Promise.all(writes);
    writes = [];
  }
  await Promise.all(writes);
}

/**
 * Stores whose list of jobs has so many entries. Created one by one a million would take hours, so they are written
 * past the lists, entries and counts as a list has them when its records are folded. Only the jobs of the first and
 * the last page exist: a read of the others would cost the same.
 */
export async function startWithJobs(jobs: Jobs): Promise<OwnStores> {
  const own = await startStores();
  await fill(own.stores.tables, jobs);
  return own;
}
