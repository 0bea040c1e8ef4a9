import { afterAll, expect, test } from 'vitest';
import { cleanUp } from '../engine-process.ts';
import { startJudge } from './mail-crash/judge.ts';
import { runMailCrash } from './mail-crash/run.ts';

const START_MS = 120_000;
afterAll(cleanUp, START_MS);

// Workers of the mail queue, each with a message under way when the engine is killed.
const WORKERS = 10;

// `npm run bench -- mail-crash` does the same with 1,000 documents and three kills.
test('signers of documents get their invitation though the engine is killed, and none twice but those under way', {
  timeout: 6 * START_MS,
}, async () => {
  const judge = await startJudge();
  try {
    const run = await runMailCrash({ documents: 40, kills: 2, judge });
    expect(run.documents).toHaveLength(40);
    expect([run.missing, run.dead]).toEqual([[], []]);
    expect(run.repeated.length).toBeLessThanOrEqual(2 * WORKERS);
  } finally {
    judge.stop();
  }
});
