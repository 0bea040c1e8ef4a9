import { heldCertificates } from '../domain/providers/held-certificates.ts';
import { reachProvider } from '../domain/providers/provider.ts';
import { bearerOf } from '../domain/providers/tokens.ts';
import { CertificateQuery, HeldCertificates, ProviderParams } from '../provider-contract.ts';
import { provider } from '../provider-service.ts';

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
    return heldCertificates(at, token, query.certificate_alias);
  },
);
