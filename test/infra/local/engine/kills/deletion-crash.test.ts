import { afterAll, expect, test } from 'vitest';
import { ORGANIZATION_ID } from '../../../../../functions/sandbox/sandbox-data.ts';
import { joinEngine } from '../crowd.ts';
import { cleanUp } from '../engine-process.ts';
import { folderOf } from './bulk-documents.ts';
import { deadTasks, documentsLeft, requestDeletion, startKillable } from './killed-work.ts';

const START_MS = 120_000;
afterAll(cleanUp, START_MS);

test('kill -9 in the middle of deleting a folder of 200 documents: the rest is deleted after the restart', {
  timeout: 3 * START_MS,
}, async () => {
  const engine = await startKillable();
  joinEngine(engine.dataDir);
  const folderId = await folderOf(ORGANIZATION_ID, 200);
  expect(await documentsLeft(engine, { folderId })).toBe(200);
  await requestDeletion(engine, `folders/${folderId}`);
  await expect
    .poll(() => documentsLeft(engine, { folderId }), { timeout: START_MS, interval: 50 })
    .toBeLessThan(200);
  await engine.killAndRestart();
  await expect.poll(() => documentsLeft(engine, { folderId }), { timeout: START_MS, interval: 250 }).toBe(0);
  expect(await deadTasks(engine)).toBe(0);
});
