import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ORGANIZATION_ID } from '../../../../functions/sandbox/sandbox-data.ts';
import { folderOf } from './bulk-documents.ts';
import { joinEngine } from './crowd.ts';
import { cleanUp } from './engine-process.ts';
import {
  CONCLUDED,
  deadTasks,
  documentsLeft,
  type KillableEngine,
  outcomeOf,
  registerReceiver,
  requestDeletion,
  signOne,
  startKillable,
} from './killed-work.ts';

const START_MS = 120_000;
const RECEIVER = 'killed-work';

let engine: KillableEngine;
let folderId: string;
beforeAll(async () => {
  engine = await startKillable();
  joinEngine(engine.dataDir);
  folderId = await folderOf(ORGANIZATION_ID, 200);
  await registerReceiver(engine, RECEIVER);
}, START_MS);
afterAll(cleanUp, START_MS);

describe('kill -9 of an engine at work', () => {
  //   engine 1  |--signature acknowledged--concludes it, delivers its events-- killed, somewhere in there
  //   engine 2                                                                |--ready--concluded, delivered--|
  test('right after an acknowledged signature: it is concluded once and told of', {
    timeout: 2 * START_MS,
  }, async () => {
    const id = await signOne(engine);
    await engine.killAndRestart();
    await expect.poll(() => outcomeOf(engine, RECEIVER, id), { interval: 250 }).toEqual(CONCLUDED);
  });

  test('in the middle of deleting a folder of 200 documents: the rest is deleted after the restart', {
    timeout: 2 * START_MS,
  }, async () => {
    expect(await documentsLeft(engine, { folderId })).toBe(200);
    await requestDeletion(engine, `folders/${folderId}`);
    await expect
      .poll(() => documentsLeft(engine, { folderId }), { timeout: START_MS, interval: 50 })
      .toBeLessThan(200);
    await engine.killAndRestart();
    await expect
      .poll(() => documentsLeft(engine, { folderId }), { timeout: START_MS, interval: 250 })
      .toBe(0);
    expect(await deadTasks(engine)).toBe(0);
  });
});
