import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { CLIENT, type ProviderReady } from './accounts.ts';

/** Starts an OpenID provider in a process of its own. */
export async function startProvider() {
  const child = fork(fileURLToPath(new URL('./provider.ts', import.meta.url)), { stdio: 'ignore' });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The provider ended before it took calls.');
  });
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [ProviderReady];
  ended.catch(() => undefined);
  return {
    ...ready,
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Settings by which the service signs people in at this provider. */
export function useProvider(issuer: string): void {
  vi.stubEnv('Idp__Authority', issuer);
  vi.stubEnv('Idp__ClientId', CLIENT.id);
  vi.stubEnv('Idp__ClientSecret', CLIENT.secret);
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
}
