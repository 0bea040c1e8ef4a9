import { afterAll, expect, test } from 'vitest';
import { cleanUp } from '../engine-process.ts';
import { checkRun } from './batch-crash/check-run.ts';
import { runCrashes } from './batch-crash/run.ts';

const START_MS = 120_000;
afterAll(cleanUp, START_MS);

//   uploads  |--a--b--c--(no answer)--d again: accepted, or refused as a duplicate--e--f--|
//   engine 1 |--signs 8 at once-- killed
//   engine 2                     |--fails those 8, signs the rest--|
//
// `npm run bench -- batch-crash` does the same with 1,000 files and ten kills.
test('files uploaded while the engine is killed are each signed once or failed, and everything adds up', {
  timeout: 4 * START_MS,
}, async () => {
  const run = await runCrashes({ files: 40, kills: 1, maxConcurrency: 8 });
  expect(await checkRun(run)).toEqual([]);
});
