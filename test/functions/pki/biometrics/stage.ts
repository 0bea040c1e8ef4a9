import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { vi } from 'vitest';
import { handler as answer } from '../../../../functions/sandbox/biometrics/endpoints/answer-biometrics.ts';
import { putApplication } from '../../../../shared/access/administration.ts';
import { newKey } from '../../../../shared/access/applications.ts';
import { call } from '../../../requests/http-event.ts';
import { startServer } from '../../../shared/net/a-server.ts';

export const RETURN = 'http://localhost:9999/return?from=app#top';
export const ORIGIN = 'http://localhost:9999';

export type BioStage = Awaited<ReturnType<typeof bioStage>>;

/** The sandbox's provider at the other end of a real connection, and an application with its addresses registered. */
export async function bioStage() {
  const asked: string[] = [];
  const served = {
    asked,
    /** Another answer than the provider's, where it gives one. */
    otherwise: (_operation: string): { status: number; body: string } | undefined => undefined,
    /** Waited for before an operation is answered. */
    before: async (_operation: string): Promise<void> => undefined,
  };
  const server = await startServer(async (request, response) => {
    const body = (await buffer(request)).toString('utf8');
    const { operation } = JSON.parse(body) as { operation: string };
    asked.push(body);
    await served.before(operation);
    const other = served.otherwise(operation);
    if (other) return void response.writeHead(other.status).end(other.body);
    const { status, text } = await call(answer, { body, headers: { 'Content-Type': 'application/json' } });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  vi.stubEnv('Log__Level', 'ERROR'); // that a provider failed is no news here
  vi.stubEnv('Biometrics__Provider', 'Http');
  vi.stubEnv('Biometrics__ProviderUrl', server.url);
  vi.stubEnv('Biometrics__ProviderName', 'Sandbox');
  return Object.assign(served, {
    key: await anApplication(),
    async stop() {
      vi.unstubAllEnvs();
      await server.stop();
    },
  });
}

/** The key of a new application, with the permission and the addresses that sessions want. */
export async function anApplication(permissions: readonly string[] = ['biometrics']): Promise<string> {
  const name = `bio-${randomUUID()}`;
  const { text, key } = newKey(name);
  const registered = { returnUrls: [RETURN], trustedOrigins: [ORIGIN] };
  await putApplication('pki', { name, disabled: false, permissions, registered, keys: [key] });
  return text;
}
