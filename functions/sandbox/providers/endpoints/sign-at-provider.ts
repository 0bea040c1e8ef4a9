import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ProviderParams, SignatureRequest, Signatures } from '../contract.ts';
import { reachProvider } from '../domain/provider.ts';
import { signHashes } from '../domain/sign-hashes.ts';
import { bearerOf } from '../domain/tokens.ts';
import { provider } from '../service.ts';

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
