import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ProviderParams, UserAnswer, UserQuestion } from '../contract.ts';
import { discoverUser } from '../domain/discover-user.ts';
import { reachProvider } from '../domain/provider.ts';
import { provider } from '../service.ts';

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
