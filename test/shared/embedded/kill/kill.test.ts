import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../../shared/embedded/stores.ts';
import { runs } from '../../../faults/fuzz.ts';
import { temporaryPath } from '../../../stores/own-stores.ts';
import { clientsOf, type Noted, WITNESSES } from './witnesses.ts';

const KILLS = runs(20);
// A kill comes when every witness has been answered once in its round, and as many further answers as chance says have
// come: the moment is random, and depends on no clock.
const MAX_FURTHER_ANSWERS = 60;
const NAMES = ['single', 'pair a', 'pair b', 'pair c', 'messages', 'objects'];

type Notes = Map<string, Noted[]>;

/** Writes until enough was answered, and notes it. */
async function startWriting(folder: string, notes: Notes): Promise<ChildProcess> {
  const writer = fork(new URL('./writer.ts', import.meta.url), [folder, ...NAMES], { execArgv: [] });
  const further = Math.floor(Math.random() * MAX_FURTHER_ANSWERS);
  const answered = new Set<string>();
  let answers = 0;
  const enough = Promise.withResolvers<void>();
  writer.on('message', ({ name, noted }: { name: string; noted: Noted }) => {
    notes.set(name, [...(notes.get(name) ?? []), noted]);
    answered.add(name);
    answers += 1;
    if (answered.size === NAMES.length && answers >= NAMES.length + further) enough.resolve();
  });
  await Promise.race([
    enough.promise,
    once(writer, 'exit').then(() => Promise.reject(new Error('It ended.'))),
  ]);
  return writer;
}

/** What is not as noted in the stores of a folder. */
async function wrongsIn(folder: string, notes: Notes): Promise<string[]> {
  const stores = openStores({ folder });
  try {
    await stores.queues.releaseAll();
    const wrongs = NAMES.map((name) =>
      WITNESSES[name.split(' ')[0] ?? '']?.wrongs(clientsOf(stores), notes.get(name) ?? [], name),
    );
    return (await Promise.all(wrongs)).flatMap((found) => found ?? [`there is no witness`]);
  } finally {
    await stores.queues.releaseAll();
    stores.close();
  }
}

//   writer    w w w w w w w w  stopped, its folder copied   kill -9    w w w w w w ...
//   test      notes            looks at the copy            looks      notes
//
// Every answered write is there, in tables, queues and files, and no transaction, item with its index entry, or object is
// there by half: neither in the folder of a writer that was killed, nor in a copy of a moment, as after a power cut.
test('a kill or a power cut at any moment loses nothing that was answered and leaves nothing half done', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(temporaryPath('sinete-kill-'));
  const copy = join(folder, 'copy');
  let writer: ChildProcess | undefined;
  onTestFinished(() => {
    writer?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const own = join(folder, 'own');
  const notes: Notes = new Map();
  for (let kill = 1; kill <= KILLS; kill++) {
    writer = await startWriting(own, notes);
    writer.kill('SIGSTOP');
    const until = structuredClone(notes);
    cpSync(own, copy, { recursive: true });
    writer.kill('SIGKILL');
    await once(writer, 'close');
    expect(await wrongsIn(copy, until), `in the copy before kill ${kill}`).toEqual([]);
    expect(await wrongsIn(own, notes), `after kill ${kill}`).toEqual([]);
    rmSync(copy, { recursive: true });
  }
});
