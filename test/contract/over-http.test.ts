import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointFiles } from '../../infra/build/function-files.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { cleanUp, startEngineProcess } from '../infra/local/engine/engine-process.ts';
import { expectAnswerByContract } from './samples.ts';

const names = endpointFiles().map(({ service, name }) => `${service}/${name}`);

let url: string;
beforeAll(async () => {
  const engine = await startEngineProcess();
  await engine.ready();
  url = engine.url;
}, 120_000);
afterAll(cleanUp);

describe('over HTTP, on the running engine', () => {
  test.each(names)('%s answers by its contract', (name) => expectAnswerByContract(name, url));

  test.each(SERVICES)(
    '%s refuses a method that a known path does not have, in its own style',
    async (service) => {
      const answer = await fetch(`${url}/${service}/openapi/v1.json`, { method: 'DELETE' });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
      const text = await answer.text();
      expect(text).toMatch(/ENDPOINT_NOT_FOUND|EndpointNotFound|route\.not-found/);
    },
  );

  test.each(SERVICES)(
    '%s serves its contract without a credential, its own address in it',
    async (service) => {
      const document = (await (await fetch(`${url}/${service}/openapi/v1.json`)).json()) as {
        servers: unknown;
      };
      expect(document.servers).toEqual([{ url: `${url}/${service}` }]);
    },
  );
});
