import { afterAll, expect, test } from 'vitest';
import { startShareServer } from '../../../../functions/batch/shares/share-server.ts';
import { cleanUp } from '../engine-process.ts';
import { checkDrops } from './folder-crash/check-run.ts';
import { runDrops } from './folder-crash/run.ts';

const START_MS = 120_000;
afterAll(cleanUp, START_MS);

//   droppers  |--a--b--c--(no answer)--c again: known, or refused by its name--d--e--|
//   engine 1  |--notified of a, scans the share: b-- killed
//   engine 2                                        |--fails what was in flight, goes on--|
//
// `npm run bench -- folder-crash` does the same with 2,000 files and ten kills.
test('files dropped into folders while the engine is killed are each signed once or failed, and none is lost', {
  timeout: 4 * START_MS,
}, async () => {
  const share = await startShareServer();
  try {
    const run = await runDrops({ local: 26, shared: 10, kills: 1, maxConcurrency: 8, share });
    expect(await checkDrops(run)).toEqual([]);
  } finally {
    await share.stop();
  }
});
