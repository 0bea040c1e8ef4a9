import { afterAll, expect, test } from 'vitest';
import { cleanUp } from '../engine-process.ts';
import { checkSignerFolder } from './signer-folder-crash/check-run.ts';
import { startProxy } from './signer-folder-crash/proxy.ts';
import { runSignerFolder } from './signer-folder-crash/run.ts';

const START_MS = 120_000;
afterAll(cleanUp, START_MS);

//   documents  |--a--b--c--d--e--|
//   engine 1   |--sweeps: a, b--starts a-- killed
//   engine 2                               |--a: back to the queue, or as the platform says--goes on: c, d, e--|
//
// `npm run bench -- signer-folder-crash` does the same with 200 documents and five kills.
test('documents put into a signer folder while the engine is killed are each signed once', {
  timeout: 4 * START_MS,
}, async () => {
  const proxy = await startProxy();
  try {
    const run = await runSignerFolder({ documents: 20, kills: 1, maxConcurrency: 4, proxy });
    expect(checkSignerFolder(run)).toEqual([]);
    expect(run.documents.length).toBeGreaterThanOrEqual(20);
  } finally {
    proxy.stop();
  }
});
