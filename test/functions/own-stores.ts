import { createDeclared } from '../../infra/local/resources/create.ts';
import { readDeclared } from '../../infra/local/resources/read.ts';
import type { Counts } from '../../infra/local/stores/dynamo/counts.ts';
import { type Emulators, startEmulators } from '../../infra/local/stores/emulators.ts';

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

async function use({ env, stop }: Emulators): Promise<() => Promise<void>> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  await createDeclared(readDeclared(process.cwd(), 'local'));
  return async () => {
    for (const [name, value] of before) process.env[name] = value;
    await stop();
  };
}
