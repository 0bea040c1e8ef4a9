import { createDeclared } from '../../infra/local/resources/create.ts';
import { readDeclared } from '../../infra/local/resources/read.ts';
import { startEmulators } from '../../infra/local/stores/emulators.ts';

/**
 * Stores of a test file's own, for rules about a whole table or about something there is only one of.
 * Call it before anything reaches for a store: a client keeps the endpoint it was first used with.
 */
export async function ownStores(): Promise<() => Promise<void>> {
  const { env, stop } = await startEmulators();
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  await createDeclared(readDeclared(process.cwd(), 'local'));
  return async () => {
    for (const [name, value] of before) process.env[name] = value;
    await stop();
  };
}
