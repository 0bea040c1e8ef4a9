import { jsonBody } from '../../../shared/http/body/reader.ts';
import { reachProvider } from '../domain/providers/provider.ts';
import { signHashes } from '../domain/providers/sign-hashes.ts';
import { bearerOf } from '../domain/providers/tokens.ts';
import { ProviderParams, SignatureRequest, Signatures } from '../provider-contract.ts';
import { provider } from '../provider-service.ts';

export const handler = provider.endpoint(
  {
    route: 'POST /providers/{provider}/v0/oauth/signature',
    summary: "Signatures of hashes with the holder's key",
    params: ProviderParams,
    body: jsonBody(SignatureRequest),
    answers: { 200: Signatures },
    refuses: ['invalid_token', 'insufficient_scope', 'temporarily_unavailable'],
    access: 'public',
  },
  async ({ params, body, headers }) => {
    const at = await reachProvider(params.provider);
    const token = await bearerOf(at, headers.authorization, Date.now());
    return signHashes(at, token, body, Date.now());
  },
);
