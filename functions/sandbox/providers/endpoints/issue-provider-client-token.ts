import { Problem } from '../../../../shared/errors/errors.ts';
import { json } from '../../../../shared/http/response/answer.ts';
import { ClientToken, clientTokenBody, ProviderParams, UNSTORED } from '../contract.ts';
import { reachProvider } from '../domain/provider.ts';
import { issueApplicationToken } from '../domain/tokens.ts';
import { provider } from '../service.ts';

export const handler = provider.endpoint(
  {
    route: 'POST /providers/{provider}/v0/oauth/client_token',
    summary: 'A token of an application',
    params: ProviderParams,
    body: clientTokenBody,
    answers: { 200: ClientToken },
    refuses: ['invalid_client', 'unsupported_grant_type', 'temporarily_unavailable'],
    access: 'public',
  },
  async ({ params, body: { sentAs, fields } }) => {
    const at = await reachProvider(params.provider);
    if (sentAs !== at.tokenBody)
      throw new Problem('unsupportedMedia', { reason: `Send it as ${at.tokenBody}.` });
    const { accessToken, seconds } = await issueApplicationToken(at, fields, Date.now());
    return json(
      { access_token: accessToken, token_type: 'Bearer', expires_in: seconds },
      { headers: UNSTORED },
    );
  },
);
