import { test } from 'vitest';
import { openService } from './support/contract.ts';
import { pdf } from './support/files.ts';
import { expectFairAnswers, LOAD_TIMEOUT } from './support/load.ts';
import { sharedEngine } from './support/shared-engine.ts';

const { url, applications } = sharedEngine();

test('20 callers of two applications are each answered', { timeout: LOAD_TIMEOUT }, async () => {
  const work = await Promise.all(
    applications.map(async ({ name, keys, organization: orgId }) => {
      const session = await openService(url, 'session', keys.session);
      const documents = await openService(url, 'documents', keys.documents);
      const hub = await openService(url, 'hub', keys.hub);
      const pki = await openService(url, 'pki', keys.pki);
      const bytes = pdf('of one of many').toString('base64');
      const ofCompany = { identifier: '11222333000181', identifierType: 'CNPJ' };
      return [
        { name: `${name}: status`, call: () => session.call('getStatus', { query: { sessionId: 'none' } }) },
        { name: `${name}: upload`, call: () => documents.call('createUploadFromBytes', { body: { bytes } }) },
        { name: `${name}: list`, call: () => documents.call('listDocuments') },
        { name: `${name}: organization`, call: () => documents.call('getOrganization', { path: { orgId } }) },
        { name: `${name}: log-in`, call: () => pki.call('prepareAuthentication', { body: {} }) },
        {
          name: `${name}: provider`,
          call: () => hub.call('getAvailability', { path: { name: 'beta' }, query: ofCompany }),
        },
      ];
    }),
  );
  await expectFairAnswers(work.flat());
});
