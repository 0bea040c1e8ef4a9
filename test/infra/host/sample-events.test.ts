import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { endpointFiles } from '../../../infra/build/function-files.ts';
import { freePort } from '../../../infra/local/engine/ports.ts';
import { LOCAL_SETTINGS } from '../../../infra/local/seed/local-settings.ts';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import { OWN_ENVIRONMENT, STORES_FOLDER, useStores } from '../../../infra/local/stores/endpoints.ts';
import { storesIn } from '../../../infra/local/stores/own.ts';
import { createDeclared } from '../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import { createTable } from '../../../infra/runtime/resources/tables.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { expectAnswerByContract, sendSample } from '../../contract/samples.ts';
import { cleanUp, REQUIRED, startHostProcess, temporaryFolder } from './host-process.ts';

const names = endpointFiles()
  .filter(({ service }) => service !== 'sandbox')
  .map(({ service, name }) => `${service}/${name}`);

let url: string;
beforeAll(async () => {
  const [port, stage, folder] = [await freePort(), 'prod', temporaryFolder()];
  // The samples' own callers and organizations, put into the stores of a stage that knows no sandbox.
  Object.assign(process.env, {
    STAGE: stage,
    Http__PublicUrl: `http://localhost:${port}`,
    Local__DataDir: folder,
    ...variables(REQUIRED),
  });
  useStores({ ...OWN_ENVIRONMENT, [STORES_FOLDER]: storesIn(folder) });
  await createDeclared(readDeclared(process.cwd(), stage));
  const sandbox = readDeclared(process.cwd(), 'local').tables.find(({ name }) => name.endsWith('-sandbox'));
  if (!sandbox) throw new Error('The sandbox has no table.');
  await createTable(dynamo(), { ...sandbox, name: `sinete-${stage}-sandbox` }, console.log);
  await seedSandbox();

  const root = join(folder, 'pki/root.crt');
  const { SANDBOX_KEY: _, SANDBOX_ORGANIZATION: __, SANDBOX_UNIVERSITY: ___, ...settings } = LOCAL_SETTINGS;
  const host = await startHostProcess({
    port,
    stage,
    data: folder,
    settings: {
      ...REQUIRED,
      'Certificates:TrustAnchors': root,
      'SecurityContexts:PkiBrazil': root,
      'SecurityContexts:Others': `${SANDBOX_CONTEXT}=${root}`,
      'Signer:BaseAddress': `http://localhost:${port}/documents`,
      'Swagger:EnabledInProduction': true,
      'Biometrics:Provider': 'Http',
      'Biometrics:ProviderUrl': 'https://faces.example',
    },
    env: { ...settings, Webhooks__AllowPrivateNetworks: 'false', Http__CheckAnswers: 'true' },
  });
  await host.ready();
  url = host.url;
}, 300_000);
afterAll(cleanUp);

/** Webhooks of the samples lead to the engine itself. A deployment sends nothing to addresses of its own network. */
const GUARDED: Readonly<Record<string, number>> = {
  'credentials/set-subscription-integration': 422,
  'documents/create-webhook': 422,
};

const variables = (settings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name.replaceAll(':', '__'), value]));

describe('over HTTP, on a host', () => {
  test.each(names)('%s answers by its contract', (name) => expectAnswerByContract(name, url, GUARDED[name]));

  test.each(SERVICES)(
    '%s refuses a method that a known path does not have, in its own style',
    async (service) => {
      const answer = await fetch(`${url}/${service}/openapi/v1.json`, { method: 'DELETE' });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toMatch(/ENDPOINT_NOT_FOUND|EndpointNotFound|route\.not-found/);
    },
  );

  test('a file that is uploaded is taken up by the worker of its queue', async () => {
    const { id } = (await (await sendSample('batch/upload-file', url)).json()) as { id: string };
    const headers = { 'X-API-Key': SANDBOX_KEY };
    const stateOf = async () =>
      ((await (await fetch(`${url}/batch/api/jobs/${id}`, { headers })).json()) as { state: string }).state;
    await expect.poll(stateOf).not.toBe('Queued');
  });
});
