import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Served, serve } from './served.ts';
import { messages, objects, pairedWrites, singleWrites, type Witness } from './witnesses.ts';

const KILLS = 20;

const writing = (served: Served, witness: Witness, going: () => boolean) =>
  (async () => {
    while (going()) {
      await witness.write(served).catch((error) => {
        if (going()) throw error;
      });
    }
  })();

//   served   |--answers--|  kill -9   |--answers--|  kill -9 ...
//   witness  w w w w w w w            look  w w w w
//
// Killed at random moments under a stream of writes. Every answered write is there after the restart, and no
// transaction, item with its index entry, or object is there by half.
test('kill -9 loses nothing that was answered and leaves nothing half done', {
  timeout: 120_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sinete-kill-'));
  let served = await serve(dataDir);
  onTestFinished(async () => {
    await served.kill();
    rmSync(dataDir, { recursive: true });
  });
  const witnesses = [
    singleWrites(),
    pairedWrites('a'),
    pairedWrites('b'),
    pairedWrites('c'),
    messages(),
    objects(),
  ];
  for (const witness of witnesses) await witness.prepare(served);

  for (let kill = 1; kill <= KILLS; kill++) {
    let alive = true;
    const writers = witnesses.map((witness) => writing(served, witness, () => alive));
    await pause(50 + Math.random() * 250);
    alive = false;
    await served.kill();
    await Promise.all(writers);
    served = await serve(dataDir);
    const wrongs = await Promise.all(witnesses.map((witness) => witness.wrongs(served)));
    expect(wrongs.flat(), `after kill ${kill}`).toEqual([]);
  }
  // Fewer would prove nothing.
  for (const witness of witnesses) expect(witness.answered()).toBeGreaterThan(KILLS);
});
