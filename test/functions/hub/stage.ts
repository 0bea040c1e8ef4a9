import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import { ownStores } from '../own-stores.ts';
import { restoreSettings } from '../session/own-settings.ts';
import { type ProvidersServer, serveProviders } from './providers-server.ts';

export type HubStage = Awaited<ReturnType<typeof hubStage>>;

/** The hub with the sandbox's providers at the other end of real connections, in stores of the file's own. */
export async function hubStage() {
  const stopStores = await ownStores();
  const providers = await serveProviders();
  vi.stubEnv('Http__PublicUrl', providers.url);
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  vi.stubEnv('Log__Level', 'ERROR');
  vi.stubEnv('Providers__DiscoveryTimeout', '1');
  // A failure in one test must not open the circuit for the next.
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

/** For a test file's top: one stage for all its tests. Each begins with providers that answer and were not called. */
export function useHubStage(): { readonly providers: ProvidersServer } {
  let stage: HubStage;
  beforeAll(async () => {
    stage = await hubStage();
  });
  afterAll(() => stage.stop());
  restoreSettings();
  beforeEach(() => {
    stage.providers.interfere = () => undefined;
    stage.providers.calls.length = 0;
  });
  return {
    get providers() {
      return stage.providers;
    },
  };
}
