import { CertificateQuery, HeldCertificates, ProviderParams } from '../contract.ts';
import { listHeldCertificates } from '../domain/held-certificates.ts';
import { reachProvider } from '../domain/provider.ts';
import { bearerOf } from '../domain/tokens.ts';
import { provider } from '../service.ts';

export const handler = provider.endpoint(
  {
    route: 'GET /providers/{provider}/v0/oauth/certificate-discovery',
    summary: "The holder's certificates",
    params: ProviderParams,
    query: CertificateQuery,
    answers: { 200: HeldCertificates },
    refuses: ['invalid_token', 'insufficient_scope', 'temporarily_unavailable'],
    access: 'public',
  },
  async ({ params, query, headers }) => {
    const at = await reachProvider(params.provider);
    const token = await bearerOf(at, headers.authorization, Date.now());
    return listHeldCertificates(at, token, query.certificate_alias);
  },
);
