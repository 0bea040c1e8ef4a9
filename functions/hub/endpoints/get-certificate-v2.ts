import { CertificateModel, SessionQuery } from '../contract.ts';
import { getCertificate } from '../domain/certificate.ts';
import { PROVIDER_CODES } from '../domain/provider-refusal.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/v2/sessions/certificate',
    summary: "The session's certificate, with its alias and where it is held",
    query: SessionQuery,
    answers: { 200: CertificateModel },
    refuses: PROVIDER_CODES,
  },
  async ({ query, caller }) => getCertificate(caller, query.session, () => Date.now()),
);
