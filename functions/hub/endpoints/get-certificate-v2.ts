import { CertificateModel, SessionQuery } from '../contract.ts';
import { getCertificate } from '../domain/certificate.ts';
import { PROVIDER_CODES } from '../domain/provider-refusal.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/v2/sessions/certificate',
    summary: 'Read the certificate of a session, with its alias and provider',
    description:
      'Where the provider holds several certificates, the newest that is valid now is answered. Its alias can be named in sign-hash.',
    tag: 'signing',
    query: SessionQuery,
    answers: { 200: CertificateModel },
    refuses: PROVIDER_CODES,
  },
  async ({ query, caller }) => getCertificate(caller, query.session, () => Date.now()),
);
