import { afterAll, expect, test } from 'vitest';
import { cleanUp } from '../engine-process.ts';
import { checkBatch } from './degree-batch-crash/check-run.ts';
import { runKilledBatch } from './degree-batch-crash/run.ts';

const START_MS = 120_000;
const KILLS = 2;
// `npm run bench -- credentials-batch-crash` does the same with 50,000.
const LINES = 600;
afterAll(cleanUp, START_MS);

//   engine 1  |--checkpoint 400--lines 401 to 520-- killed
//   engine 2                                         |--ready--lines 401 to 800--|checkpoint 800|-- killed
//
// The first kill comes before the first checkpoint, the second after it. A batch that ended before the second kill, on a
// fast machine, is followed by another one.
test(`each of ${LINES} lines of a batch, the engine killed ${KILLS} times, is created once or reported as an error`, {
  timeout: (2 * KILLS + 2) * START_MS,
}, async () => {
  let kills = 0;
  while (kills < KILLS) {
    const run = await runKilledBatch({ count: LINES, kills: KILLS });
    expect(await checkBatch(run)).toEqual([]);
    kills = run.kills;
  }
});
