import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp, type EngineProcess, startEngineProcess } from '../infra/local/engine/engine-process.ts';

export type SharedEngine = Pick<EngineProcess, 'url' | 'dataDir'>;

/** The secret of the links to the approver portal. */
export const LINK_SECRET = 'sinete-local-approver-link-secret-01';

/**
 * Tries of one person before a session fails: that a try can be made again, and that it cannot. Files verified and
 * credentials looked up in a minute: all tests have one address. No cache: tests change what it reads behind the
 * engine's back. Links of approvers by a secret that tests know, opened more often than people do, as are the forms of
 * operators. Backups.
 */
const SETTINGS = {
  Biometrics__MaxAttempts: '2',
  Verification__PermitLimit: '1000',
  RateLimiting__Verification__PermitLimit: '1000',
  Access__CacheSeconds: '0',
  ApproverPortal__LinkSecret: LINK_SECRET,
  RateLimiting__Approval__PermitLimit: '1000',
  RateLimiting__Actions__PermitLimit: '1000',
  Backup__Enabled: 'true',
};

const PLACE = 'SHARED_ENGINE';

async function started(): Promise<SharedEngine> {
  const engine = await startEngineProcess({ env: SETTINGS });
  await engine.ready();
  return { url: engine.url, dataDir: engine.dataDir };
}

/** For the whole run: an engine that starts when the first file asks for it. Where none asks, none starts. */
export async function offerEngine(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  let engine: Promise<SharedEngine> | undefined;
  const server = createServer((_, response) => {
    engine ??= started();
    engine.then(
      (found) => response.end(JSON.stringify(found)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    env: { [PLACE]: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async stop() {
      server.close();
      await engine?.catch(() => undefined);
      await cleanUp();
    },
  };
}

/**
 * The engine that files share: a start takes longer than most of their tests. For those who look only at what they made
 * themselves; a list of everything, or another setting, wants an engine of its own.
 */
export async function sharedEngine(): Promise<SharedEngine> {
  const answer = await fetch(process.env[PLACE] ?? '');
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SharedEngine;
}
