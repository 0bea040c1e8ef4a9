import { createDeclared } from '../resources/create.ts';
import type { Declared } from '../resources/read.ts';
import { startEmulators } from './emulators.ts';
import { sealingKeyIn } from './sealing-key.ts';

type Wish = {
  declared: Declared;
  dataDir: string;
  /** Stores that run elsewhere; undefined to start our own. */
  external: Record<string, string> | undefined;
};

export type Stores = {
  /** What the AWS SDK needs to reach them, and the keys to what is sealed in them. */
  env: Record<string, string>;
  /** What of their data cannot be read, a line each. */
  damage: readonly string[];
  stop(): Promise<void>;
};

/** Starts or finds the stores, makes what infra/*.yml declares, and fills in the sandbox. */
export async function startStores({ declared, dataDir, external }: Wish): Promise<Stores> {
  const { env, damage, stop }: Stores = external
    ? { env: external, damage: [], stop: async () => {} }
    : await startEmulators({ dataDir });
  const stores: Stores = {
    env: {
      ...env,
      Providers__SealingKey: process.env.Providers__SealingKey ?? sealingKeyIn(dataDir, 'providers'),
      Webhooks__SealingKey: process.env.Webhooks__SealingKey ?? sealingKeyIn(dataDir, 'webhooks'),
    },
    damage,
    stop,
  };
  Object.assign(process.env, stores.env);
  await createDeclared(declared);
  const { seedSandbox } = await import('../seed/seed.ts');
  await seedSandbox();
  return stores;
}
