import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { operatorSessions } from '../../../../functions/batch/config/operator-sessions.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { handler as begin } from '../../../../functions/batch/profiles/endpoints/begin-cloud-authorization.ts';
import { handler as finish } from '../../../../functions/batch/profiles/endpoints/finish-cloud-authorization.ts';
import { authorities } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedProviders } from '../../../../infra/local/seed/providers.ts';
import { type Answered, call, lambdaContext, type Request } from '../../../requests/http-event.ts';
import { anotherKey } from '../../hub/another-key.ts';
import { comeBack, decideAtProvider, returnedQuery } from '../../hub/calls.ts';
import { serveHub } from '../../hub/hub-server.ts';
import { serveProviders } from '../../hub/providers-server.ts';
import { batchStage, HOLDER } from '../stage.ts';
import { newName } from './a-profile.ts';

const LIFE_MS = 60_000;

/** The batch service, the real hub, and the sandbox's providers behind it. */
export async function cloudProfileStage() {
  const stage = await batchStage();
  const [providers, hub] = await Promise.all([serveProviders(), serveHub()]);
  vi.stubEnv('Http__PublicUrl', providers.url);
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  vi.stubEnv('Log__Level', 'ERROR');
  vi.stubEnv('Providers__DiscoveryTimeout', '1');
  vi.stubEnv('Providers__CircuitFailures', '1');
  await authorities.put(stage.sandbox.authority);
  await seedProviders();
  vi.stubEnv('Hub__BaseAddress', hub.address);
  const returnUri = `${providers.url}/batch/cloud-certificates/return`;
  vi.stubEnv('Hub__ApiKey', await anotherKey('profiles', [returnUri]));

  const headersOf = (cookie: string) => ({ Accept: 'text/html', Cookie: `lbs-auth=${cookie}` });
  /** A profile without a key, which signs with a cloud certificate. */
  const cloudProfile = async (cloudCertificate: object = { identifier: HOLDER }): Promise<string> => {
    const name = newName();
    const fields = parseProfileFields({ name, format: 'Cades', cloudCertificate });
    await putProfile('test', fields, Date.now());
    return name;
  };
  /** The cookie of an operator who has logged in. */
  const operator = () => operatorSessions.start(undefined, { by: 'admin@sandbox.example' }, Date.now());
  const beginAt = (cookie: string, name: string, more: Request = {}): Promise<Answered> => {
    const request = { method: 'POST', params: { name }, address: randomUUID(), headers: headersOf(cookie) };
    return call(begin, { ...request, ...more });
  };
  /** The holder decides at the provider. Answers what the hub sends the browser back with. */
  const decide = async (page: Answered, decision: 'approve' | 'deny' = 'approve') => {
    const [, authUrl = ''] = /<a class="button wide" href="([^"]+)"/.exec(page.text) ?? [];
    return returnedQuery(await comeBack(await decideAtProvider(authUrl.replaceAll('&amp;', '&'), decision)));
  };
  /** Back at the service. Answers where it leads. */
  const comeHome = async (cookie: string, query: Record<string, string | string[]>): Promise<string> => {
    const request = { query, headers: headersOf(cookie), address: randomUUID() };
    const { status, headers } = await call(finish, request, lambdaContext(LIFE_MS));
    return `${status} ${headers.location}`;
  };
  return {
    ...stage,
    hub,
    cloudProfile,
    operator,
    begin: beginAt,
    decide,
    comeHome,
    /** A profile whose cloud certificate an operator has authorized. */
    async authorized() {
      const [cookie, name] = [await operator(), await cloudProfile()];
      const query = await decide(await beginAt(cookie, name));
      const location = await comeHome(cookie, query);
      return { name, cookie, query, location };
    },
    /** Uploads a text to a profile and takes its job to its end. */
    async sign(profile: string) {
      const { id } = await stage.upload(`${randomUUID()}.txt`, randomUUID(), { profile, format: 'Cades' });
      await stage.run();
      return stage.job(id);
    },
    async stop() {
      providers.stop();
      await hub.stop();
      await stage.stop();
    },
  };
}
