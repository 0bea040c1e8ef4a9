import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import { ownStores } from '../own-stores.ts';
import { serveProviders } from './providers-server.ts';

export type HubStage = Awaited<ReturnType<typeof hubStage>>;

/** The hub with the sandbox's providers at the other end of real connections, in stores of the file's own. */
export async function hubStage() {
  const stopStores = await ownStores();
  const providers = await serveProviders();
  vi.stubEnv('Http__PublicUrl', providers.url);
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  vi.stubEnv('Log__Level', 'ERROR');
  vi.stubEnv('Providers__SealingKey', randomBytes(32).toString('base64'));
  vi.stubEnv('Providers__DiscoveryTimeout', '1');
  // What a test does to a provider is not to be held against it in the next.
  vi.stubEnv('Providers__CircuitFailures', '1000000');
  await seedSandbox();
  return {
    providers,
    async stop() {
      vi.unstubAllEnvs();
      providers.stop();
      await stopStores();
    },
  };
}
