import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { cleanUp as deleteOldJobs } from '../../../functions/batch/installation/retention/domain/run.ts';
import { startOwnStores, storesIn } from '../../../infra/local/stores/own.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import type { Stores } from '../../../shared/embedded/stores.ts';
import { s3 } from '../../../shared/files/client.ts';
import { bucketName, tableName } from '../../../shared/settings/names.ts';
import { makeOldJobs } from '../../functions/batch/installation/retention/old-jobs.ts';
import { cleanUp, startEngineProcess, temporaryFolder } from '../../infra/local/engine/engine-process.ts';
import type { Figure } from '../measure/figures.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;
const FILES = 7_500;
const FILE_BYTES = MB;
const ITEMS = 1_250_000;
const ITEM_BYTES = 1_200;
const ITEMS_AT_ONCE = 2_000;
const FILES_AT_ONCE = 8;
const JOBS = 100_000;
const START_SECONDS = 10;
const DAYS_MS = 366 * 86_400_000;
const MAX_RUN_MS = 3_600_000;

/** A data folder of 10 GB: the start of an engine on it, its memory, and the space that deleted jobs give back. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const dataDir = temporaryFolder();
  try {
    await startAndStop(dataDir);
    const empty = await startAndStop(dataDir);
    const bytesWithoutJobs = await onStores(dataDir, fill);
    const bytes = await onStores(dataDir, () => makeOldJobs(JOBS, Date.now()));
    const full = await startAndStop(dataDir);
    const bytesLeft = await onStores(dataDir, deleteJobs);
    return [
      {
        name: `the start of an engine on ${inGB(bytes)} of data, against ${START_SECONDS} s`,
        ratio: full.seconds / START_SECONDS,
        promised: { atMost: 1 },
        detail: `${full.seconds.toFixed(1)} s, and ${empty.seconds.toFixed(1)} s without the data`,
      },
      {
        name: 'the memory of its processes after that start, against a start without the data',
        ratio: full.memory / empty.memory,
        promised: { atMost: 1.2 },
        detail: `${Math.round(full.memory / MB)} and ${Math.round(empty.memory / MB)} MB`,
      },
      {
        name: `${JOBS} jobs deleted by retention: what stays of the space that they took`,
        ratio: (bytesLeft - bytesWithoutJobs) / (bytes - bytesWithoutJobs),
        promised: { atMost: 0.1 },
        detail: `${inGB(bytesWithoutJobs)}, ${inGB(bytes)} with the jobs, ${inGB(bytesLeft)} after their deletion`,
      },
    ];
  } finally {
    await cleanUp();
  }
}

const inGB = (bytes: number): string => `${(bytes / GB).toFixed(2)} GB`;

async function startAndStop(dataDir: string): Promise<{ seconds: number; memory: number }> {
  const startedAt = performance.now();
  const engine = await startEngineProcess({ dataDir });
  await engine.ready();
  const seconds = (performance.now() - startedAt) / 1000;
  const memory = residentBytes(String(engine.process.pid));
  engine.process.kill('SIGTERM');
  await engine.exited;
  return { seconds, memory };
}

/** Of a process and those that it started. */
function residentBytes(pid: string): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return children.reduce((sum, child) => sum + residentBytes(child), Number(kilobytes) * 1024);
}

/** Works on the stores of a data folder. Answers the bytes of all their files after that. */
async function onStores(dataDir: string, work: (stores: Stores) => Promise<unknown>): Promise<number> {
  const { stores, env, stop } = await startOwnStores({ dataDir });
  Object.assign(process.env, env, { STAGE: 'local' });
  try {
    await work(stores);
  } finally {
    await stop();
  }
  const folder = storesIn(dataDir);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function fill({ tables }: Stores): Promise<void> {
  const content = Buffer.alloc(FILE_BYTES, 7);
  const Bucket = bucketName('documents');
  await forEachConcurrently(FILES_AT_ONCE, Array.from({ length: FILES }).keys(), async (n) => {
    await s3().send(new PutObjectCommand({ Bucket, Key: `large/${n}`, Body: content }));
  });
  const text = { S: 'x'.repeat(ITEM_BYTES) };
  for (let from = 0; from < ITEMS; from += ITEMS_AT_ONCE)
    await Promise.all(
      Array.from({ length: ITEMS_AT_ONCE }, (_, n) => {
        const Item = { pk: { S: `LARGE#${from + n}` }, sk: { S: 'LARGE' }, text };
        return tables.run('PutItem', { TableName: tableName('documents'), Item });
      }),
    );
}

async function deleteJobs({ tables, objects }: Stores): Promise<void> {
  const nowMs = Date.now() + DAYS_MS;
  await deleteOldJobs({ deadlineAtMs: nowMs + MAX_RUN_MS }, () => nowMs);
  await tables.collectExpired();
  await objects.collectGarbage();
}
