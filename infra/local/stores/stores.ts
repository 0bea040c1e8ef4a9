import { CommandRefusal, reasonOf } from '../../../shared/command-line/reason.ts';
import type { Strict } from '../../../shared/embedded/tables/store.ts';
import { createDeclared } from '../../runtime/resources/create.ts';
import type { Declared } from '../../runtime/resources/read.ts';
import { storesOutOfReach, useStores } from './endpoints.ts';
import { startOwnStores } from './own.ts';
import { requireRingIn } from './ring-file.ts';

type StoresOptions = {
  declared: Declared;
  dataDir: string;
  /** Stores that run elsewhere; undefined to open our own. */
  external: Record<string, string> | undefined;
  /** Our own tables behave like DynamoDB under load. */
  strict: Strict | undefined;
  /** Reports a step of the start when it is done. */
  step: <T>(done: string, work: Promise<T>) => Promise<T>;
};

export type Stores = {
  /** For processes to reach them, and the ring of keys of the secrets sealed in them. */
  env: Record<string, string>;
  stop(): Promise<void>;
};

/** Opens or finds the stores, creates the resources of infra/*.yml, and seeds the sandbox. A failure says what to do. */
export const startStores = (options: StoresOptions): Promise<Stores> =>
  start(options).catch((error) => {
    throw options.external ? storesOutOfReach(options.external, error) : notOpened(options.dataDir, error);
  });

/** Names the folder of the data: SQLite's own message does not. */
function notOpened(dataDir: string, error: unknown): Error {
  if (error instanceof CommandRefusal) return error;
  return new Error(
    `The stores in ${dataDir} could not be opened: ${reasonOf(error)}. If the data is broken, begin anew with --fresh, or choose another folder with --data DIR`,
    { cause: error },
  );
}

async function start({ declared, dataDir, external, strict, step }: StoresOptions): Promise<Stores> {
  const { env, stop }: Stores = external
    ? { env: external, stop: async () => {} }
    : await step('Stores opened', startOwnStores({ dataDir, strict }));
  const stores: Stores = {
    env: { ...env, Sealing__Keys: process.env.Sealing__Keys ?? requireRingIn(dataDir) },
    stop,
  };
  if (external) useStores(stores.env);
  else Object.assign(process.env, stores.env);
  await step('Tables, buckets and queues created', createDeclared(declared));
  const { seedSandbox } = await import('../seed/seed.ts');
  await step('Sandbox seeded', seedSandbox());
  return stores;
}
