import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as askForToken } from '../../../../../functions/documents/endpoints/ways/ask-for-token.ts';
import { handler as awaitToken } from '../../../../../functions/documents/endpoints/ways/await-token.ts';
import { handler as begin } from '../../../../../functions/documents/endpoints/ways/begin-cloud-visit.ts';
import { handler as look } from '../../../../../functions/documents/endpoints/ways/look-for-certificate.ts';
import { handler as signInCloud } from '../../../../../functions/documents/endpoints/ways/sign-in-cloud.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';
import { asApplication, partsOf } from '../signing/calls.ts';
import { pendingDocument, signer } from '../signing/pending-document.ts';

const CPF = '52998224725';
const organization = await ownOrganization();

beforeEach(() => {
  vi.stubEnv('Hub__ApiKey', 'a|key');
  vi.stubEnv('Workstations__ApiKey', 'a|key');
});
afterEach(() => vi.unstubAllEnvs());

const OPERATIONS = {
  begin: [begin, { lang: 'en' }],
  look: [look, { way: 'token' }],
  'sign in the cloud': [signInCloud, {}],
  'ask for a token': [askForToken, { sha256: '0'.repeat(64) }],
  'await a token': [awaitToken, { question: 'q.t' }],
} as const;

async function aLink() {
  const document = await pendingDocument({
    organizationId: organization.orgId,
    bytes: Buffer.from('%PDF-1.7\n'),
    contentType: 'application/pdf',
    flow: [signer(CPF)],
  });
  const link = await asApplication(organization.key)('action-url', document, { identifier: CPF });
  return partsOf((link.json() as { url: string }).url);
}

test.each(Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[])(
  'a page of another origin cannot %s, even with the link',
  async (name) => {
    const { key, ticket } = await aLink();
    const [handler, body] = OPERATIONS[name];
    const request = { params: { key }, json: { ticket, ...body } };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.sign.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[])
      expect((await call(handler, { ...request, headers })).status).toBe(403);
    // A plain form is no JSON, which a browser sends to another origin without asking.
    const form = { params: { key }, body: `ticket=${ticket}`, headers: { 'content-type': 'text/plain' } };
    expect((await call(handler, form)).status).toBe(415);
  },
);

test.each(['begin', 'look', 'ask for a token', 'await a token'] as const)(
  'without the ticket nobody can %s',
  async (name) => {
    const { key } = await aLink();
    const [handler, body] = OPERATIONS[name];
    const json = { ticket: 'A'.repeat(43), ...body };
    const refused = await call(handler, { params: { key }, json });
    expect([refused.status, refused.json()]).toMatchObject([422, { code: 'InvalidTicket' }]);
  },
);

test('a way that is not set up is neither shown nor served', async () => {
  vi.unstubAllEnvs();
  const { key, ticket } = await aLink();
  for (const name of ['begin', 'look', 'ask for a token'] as const) {
    const [handler, body] = OPERATIONS[name];
    const refused = await call(handler, { params: { key }, json: { ticket, ...body } });
    expect(refused.json()).toMatchObject({ code: 'WayNotOffered' });
  }
});
