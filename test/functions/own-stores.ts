import { createDeclared } from '../../infra/local/resources/create.ts';
import { type Declared, readDeclared } from '../../infra/local/resources/read.ts';
import { type Emulators, startEmulators } from '../../infra/local/stores/emulators.ts';
import type { Counts } from '../../shared/embedded/tables/strict.ts';

/**
 * Stores of a test file's own that cancel transactions that meet and throttle partition keys, as AWS does, with their
 * counts of it.
 */
export async function ownStrictStores(): Promise<{ counts: Counts; stop: () => Promise<void> }> {
  const emulators = await startEmulators({ aws: {} });
  return { counts: emulators.counts, stop: await use(emulators) };
}

/**
 * Stores of a test file's own, for rules about a whole table or about something there is only one of.
 * Call it before anything reaches for a store: a client keeps the endpoint it was first used with.
 */
export async function ownStores(): Promise<() => Promise<void>> {
  return use(await startEmulators());
}

// Read once a process: the modules of the house are loaded anew for each file, and reading all of infra/*.yml takes as
// long as many a file's tests.
const KEPT = Symbol.for('tests.declared');
const kept = globalThis as { [KEPT]?: Declared };
const declared = (): Declared => {
  kept[KEPT] ??= readDeclared(process.cwd(), 'local');
  return kept[KEPT];
};

async function use({ env, stop }: Emulators): Promise<() => Promise<void>> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  await createDeclared(declared());
  return async () => {
    for (const [name, value] of before) process.env[name] = value;
    await stop();
  };
}
