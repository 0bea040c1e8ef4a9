import { afterEach, expect, test, vi } from 'vitest';
import { handler } from '../../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';
import { asApplication, partsOf } from '../signing/calls.ts';
import { pendingDocument, signer } from '../signing/pending-document.ts';

const CPF = '52998224725';
const organization = await ownOrganization();
afterEach(() => vi.unstubAllEnvs());

async function page(): Promise<string> {
  const document = await pendingDocument({
    organizationId: organization.orgId,
    bytes: Buffer.from('%PDF-1.7\n'),
    contentType: 'application/pdf',
    flow: [signer(CPF)],
  });
  const link = await asApplication(organization.key)('action-url', document, { identifier: CPF });
  const { key, ticket } = partsOf((link.json() as { url: string }).url);
  const path = `/documents/document/key/${key}/action`;
  return (await call(handler, { path, params: { key }, query: { ticket, lang: 'en' } })).text;
}

const waysIn = (text: string): string[] => [...text.matchAll(/id="way-(\w+)"/g)].map(([, way = '']) => way);

test('a deployment without a hub and a session server asks for the file, and does not ask where it is', async () => {
  const text = await page();
  expect(waysIn(text)).toEqual([]);
  expect(text).toContain('id="certificate"');
});

test.each([
  [['Hub__ApiKey'], ['file', 'cloud']],
  [['Workstations__ApiKey'], ['file', 'token']],
  [
    ['Hub__ApiKey', 'Workstations__ApiKey'],
    ['file', 'cloud', 'token'],
  ],
])('with %s the ways are %s', async (settings, ways) => {
  for (const name of settings) vi.stubEnv(name, 'a|key');
  expect(waysIn(await page())).toEqual(ways);
});

test('the page knows where the agent is to be had', async () => {
  vi.stubEnv('Workstations__ApiKey', 'a|key');
  expect(await page()).not.toContain('Get the agent');
  vi.stubEnv('Workstations__AgentUrl', 'https://sign.example/agent');
  expect(await page()).toContain('href="https://sign.example/agent"');
});
