import { startEmulators } from './emulators.ts';
import { createDeclared, type Declared } from './resources.ts';

type Wish = {
  declared: Declared;
  dataDir: string;
  /** Stores that run elsewhere; undefined to start our own. */
  external: Record<string, string> | undefined;
};

export type Stores = {
  /** What the AWS SDK needs to reach them. */
  env: Record<string, string>;
  stop(): Promise<void>;
};

/** Starts or finds the stores, makes what infra/*.yml declares, and fills in the sandbox. */
export async function startStores({ declared, dataDir, external }: Wish): Promise<Stores> {
  const stores: Stores = external
    ? { env: external, stop: async () => {} }
    : await startEmulators({ dataDir });
  Object.assign(process.env, stores.env);
  await createDeclared(declared);
  const { seedSandbox } = await import('./seed.ts');
  await seedSandbox();
  return stores;
}
