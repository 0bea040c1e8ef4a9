import { createDeclared } from '../../infra/local/resources/create.ts';
import { readDeclared } from '../../infra/local/resources/read.ts';
import { ownEnvironment } from '../../infra/local/stores/emulators.ts';
import { startObjectsAndQueues } from '../../infra/local/stores/objects-and-queues.ts';
import type { Counts } from '../../shared/embedded/tables/strict.ts';
import { useOwnStores } from '../worker-stores.ts';

/**
 * Stores of a test file's own that cancel transactions that meet and throttle partition keys, as AWS does, with their
 * counts of it.
 */
export async function ownStrictStores(): Promise<{ counts: Counts; stop: () => Promise<void> }> {
  const { stores, stop } = useOwnStores('strict');
  return { counts: stores.tables.counts, stop: await others(stop) };
}

/** Stores of a test file's own, for rules about a whole table or about something there is only one of. */
export const ownStores = async (): Promise<() => Promise<void>> => others(useOwnStores('plain').stop);

async function others(stop: () => void): Promise<() => Promise<void>> {
  const { endpoint, stop: stopOthers } = await startObjectsAndQueues();
  const env = ownEnvironment(endpoint);
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  await createDeclared(readDeclared(process.cwd(), 'local'));
  return async () => {
    for (const [name, value] of before) process.env[name] = value;
    stop();
    await stopOthers();
  };
}
