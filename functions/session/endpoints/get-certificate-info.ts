import { CertificateInfo, SessionQuery } from '../contract.ts';
import { describeCertificate } from '../domain/held-certificates.ts';
import { session } from '../service.ts';

export const handler = session.endpoint(
  {
    route: 'GET /v1/certificates/info',
    summary: 'Read the certificate of a session',
    description:
      'Answers the certificate that the session is bound to, with its status. Asking never extends the session.',
    tag: 'certificates',
    query: SessionQuery,
    answers: { 200: CertificateInfo },
    refuses: ['SESSION_EXPIRED', 'CERT_NOT_FOUND', 'CERT_DATA_UNAVAILABLE'],
  },
  async ({ query }) => describeCertificate(query.sessionId, Date.now()),
);
