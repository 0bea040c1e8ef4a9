import { CertificateContent, SessionQuery } from '../contract.ts';
import { getCertificate } from '../domain/certificate.ts';
import { PROVIDER_CODES } from '../domain/provider-refusal.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/certificate',
    summary: 'Read the certificate of a session, as a bare JSON string',
    description: 'Where the provider holds several certificates, the newest that is valid now is answered.',
    tag: 'signing',
    query: SessionQuery,
    answers: { 200: CertificateContent },
    refuses: PROVIDER_CODES,
  },
  async ({ query, caller }) => (await getCertificate(caller, query.session, () => Date.now())).content,
);
