import { jsonBody } from '../../../shared/http/body/reader.ts';
import { discoverUser } from '../domain/providers/discover-user.ts';
import { reachProvider } from '../domain/providers/provider.ts';
import { ProviderParams, UserAnswer, UserQuestion } from '../provider-contract.ts';
import { provider } from '../provider-service.ts';

export const handler = provider.endpoint(
  {
    route: 'POST /providers/{provider}/v0/oauth/user-discovery',
    summary: 'Whether somebody keeps a certificate at the provider',
    params: ProviderParams,
    body: jsonBody(UserQuestion),
    answers: { 200: UserAnswer },
    refuses: ['invalid_client', 'invalid_token', 'insufficient_scope', 'temporarily_unavailable'],
    access: 'public',
  },
  async ({ params, body, headers }) =>
    discoverUser(
      await reachProvider(params.provider),
      { ...body, authorization: headers.authorization },
      Date.now(),
    ),
);
