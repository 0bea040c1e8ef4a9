import { beforeEach, expect, test, vi } from 'vitest';
import { listInstances } from '../../../../../functions/batch/domain/list-instances.ts';
import { folderRecords } from '../../../../../functions/batch/folders/domain/folder.ts';
import { listFolders } from '../../../../../functions/batch/folders/domain/list-folders.ts';
import { rescan } from '../../../../../functions/batch/folders/domain/rescan.ts';
import { SCANS_QUEUE, type ScanMessage } from '../../../../../functions/batch/folders/domain/scan-message.ts';
import { scheduleScans } from '../../../../../functions/batch/folders/domain/schedule-scans.ts';
import { watchFolder } from '../../../../../functions/batch/folders/domain/watch-folder.ts';
import { sendHeartbeat } from '../../../../../functions/batch/installation/cluster/domain/heartbeat.ts';
import { recordServiceStopped } from '../../../../../functions/batch/installation/cluster/domain/stop-instance.ts';
import { countCalls } from '../../../../measure/calls.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { drainQueue } from '../../../drain-queue.ts';
import { clusterStage, STALE_MS } from './cluster-stage.ts';

const stage = await forFile(clusterStage());
vi.stubEnv('Storage__Inputs', 'inbox=input/inbox');
await stage.profile({ name: 'default', default: true, inputFolder: 'inbox' });

// Scans begin at whole minutes. Those of the test before are long past, and so are its heartbeats.
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let nowMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
beforeEach(() => {
  nowMs += HOUR_MS;
});

/** The scan messages that an instance sends, and that are due. */
async function scheduledBy(name: string, atMs: number): Promise<ScanMessage[]> {
  const sent: ScanMessage[] = [];
  await stage.as(name, () => scheduleScans(atMs));
  await drainQueue('batch', SCANS_QUEUE, async ({ Records }) => {
    for (const { body } of Records) sent.push(JSON.parse(body) as ScanMessage);
    return { batchItemFailures: [] };
  });
  return sent;
}

/** A scan by the function that happened to receive the message. */
const scan = (message: ScanMessage, atMs: number) =>
  watchFolder(message, { logger: stage.worker.logger, now: () => atMs, hasTime: () => true });

const watcherOf = async () => (await folderRecords.get('inbox'))?.instance;

const firstOf = ([message]: ScanMessage[]): ScanMessage => {
  if (!message) throw new Error('No scan was sent.');
  return message;
};

test('a folder is watched by the first instance that scans it, and by no other while that one is live', async () => {
  for (const name of ['north', 'south']) await stage.as(name, () => sendHeartbeat(nowMs));
  await scan(firstOf(await scheduledBy('north', nowMs)), nowMs);
  expect(await watcherOf()).toBe('north');
  for (const name of ['north', 'south']) await stage.as(name, () => sendHeartbeat(nowMs + 30_000));
  expect(await scheduledBy('south', nowMs + MINUTE_MS)).toEqual([]);
  expect(await scheduledBy('north', nowMs + MINUTE_MS)).toHaveLength(1);
  expect((await stage.as('south', () => listFolders()))[0]).toMatchObject({ instance: 'north' });
  const listed = await listInstances(nowMs);
  expect(listed.filter(({ folders }) => folders.includes('inbox')).map(({ name }) => name)).toEqual([
    'north',
  ]);
  // An operator's rescan may be answered by another instance. It does not become the watcher.
  const caller = { deadlineAtMs: nowMs + 60_000, logger: stage.worker.logger };
  await stage.as('south', () => rescan({}, caller, () => nowMs));
  expect(await watcherOf()).toBe('north');
});

test('a live instance takes the folder of a stale one, and of two that try one has it', async () => {
  for (const name of ['south', 'west']) await stage.as(name, () => sendHeartbeat(nowMs));
  const ofSouth = firstOf(await scheduledBy('south', nowMs));
  const ofWest = firstOf(await scheduledBy('west', nowMs));
  await scan(ofSouth, nowMs);
  expect(await watcherOf()).toBe('south');
  const { byCommand } = await countCalls(() => scan(ofWest, nowMs + 20_000));
  expect(byCommand.UpdateItem).toBeUndefined();
  expect(await watcherOf()).toBe('south');
  // The stale one is back: its folder has another watcher.
  for (const name of ['north', 'south']) await stage.as(name, () => sendHeartbeat(nowMs + 30_000));
  expect(await scheduledBy('north', nowMs + MINUTE_MS)).toEqual([]);
});

test('an instance that has stood down sends no scans', async () => {
  await stage.as('south', () => sendHeartbeat(nowMs - STALE_MS));
  expect(await scheduledBy('south', nowMs)).toEqual([]);
  await stage.as('south', () => sendHeartbeat(nowMs));
  expect(await scheduledBy('south', nowMs)).toHaveLength(1);
});

test('a folder of a stopped instance, or one no longer configured for it, has the next watcher at once', async () => {
  await stage.as('north', () => sendHeartbeat(nowMs));
  await stage.as('south', () => sendHeartbeat(nowMs));
  await stage.as('south', () => recordServiceStopped(nowMs));
  await scan(firstOf(await scheduledBy('north', nowMs)), nowMs);
  expect(await watcherOf()).toBe('north');
  vi.stubEnv('Storage__Inputs', 'other=input/other');
  await stage.as('north', () => sendHeartbeat(nowMs + 30_000));
  vi.stubEnv('Storage__Inputs', 'inbox=input/inbox');
  await stage.as('west', () => sendHeartbeat(nowMs + 30_000));
  await scan(firstOf(await scheduledBy('west', nowMs + MINUTE_MS)), nowMs + MINUTE_MS);
  expect(await watcherOf()).toBe('west');
});
