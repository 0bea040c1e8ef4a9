import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Served, serve } from './served.ts';
import { messages, objects, pairedWrites, singleWrites, type Witness } from './witnesses.ts';

const KILLS = 20;
// A kill comes when every witness has been answered once in its round, and as many further answers as chance says have
// come: the moment is random, and depends on no clock.
const MAX_FURTHER_ANSWERS = 60;

const writing = async (served: Served, witness: Witness, going: () => boolean, answered: () => void) => {
  while (going()) {
    try {
      await witness.write(served);
      answered();
    } catch (error) {
      if (going()) throw error;
    }
  }
};

//   served   |--answers--|  kill -9   |--answers--|  kill -9 ...
//   witness  w w w w w w w            look  w w w w
//
// Killed at random moments under a stream of writes. Every answered write is there after the restart, and no
// transaction, item with its index entry, or object is there by half.
test('kill -9 loses nothing that was answered and leaves nothing half done', {
  timeout: 600_000,
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
    const further = Math.floor(Math.random() * MAX_FURTHER_ANSWERS);
    const answers = new Map<Witness, number>();
    const moment = Promise.withResolvers<void>();
    const answered = (witness: Witness) => {
      answers.set(witness, (answers.get(witness) ?? 0) + 1);
      const total = [...answers.values()].reduce((sum, count) => sum + count, 0);
      if (answers.size === witnesses.length && total >= witnesses.length + further) moment.resolve();
    };
    const writers = witnesses.map((witness) =>
      writing(
        served,
        witness,
        () => alive,
        () => answered(witness),
      ),
    );
    await Promise.race([moment.promise, Promise.all(writers)]);
    alive = false;
    await served.kill();
    await Promise.all(writers);
    served = await serve(dataDir);
    const wrongs = await Promise.all(witnesses.map((witness) => witness.wrongs(served)));
    expect(wrongs.flat(), `after kill ${kill}`).toEqual([]);
  }
});
