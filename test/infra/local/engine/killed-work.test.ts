import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from './engine-process.ts';
import {
  CONCLUDED,
  type KillableEngine,
  outcomeOf,
  registerReceiver,
  signOne,
  startKillable,
} from './killed-work.ts';

const START_MS = 120_000;
const RECEIVER = 'killed-work';

let engine: KillableEngine;
beforeAll(async () => {
  engine = await startKillable();
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
});
