import { Problem } from '../../../../shared/errors/errors.ts';
import { json } from '../../../../shared/http/response/answer.ts';
import { HolderToken, ProviderParams, tokenBody, UNSTORED } from '../contract.ts';
import { reachProvider } from '../domain/provider.ts';
import { redeemCode } from '../domain/redeem-code.ts';
import { provider } from '../service.ts';

export const handler = provider.endpoint(
  {
    route: 'POST /providers/{provider}/v0/oauth/token',
    summary: 'A token for an authorization code',
    params: ProviderParams,
    body: tokenBody,
    answers: { 200: HolderToken },
    refuses: ['invalid_client', 'invalid_grant', 'unsupported_grant_type', 'temporarily_unavailable'],
    access: 'public',
  },
  async ({ params, body: { sentAs, fields } }) => {
    const at = await reachProvider(params.provider);
    if (sentAs !== at.tokenBody)
      throw new Problem('unsupportedMedia', { reason: `Send it as ${at.tokenBody}.` });
    const { accessToken, scope, seconds } = await redeemCode(at, fields, Date.now());
    const token = {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: seconds,
      scope,
      authorized_identification_type: at.holder.identifierType,
      authorized_identification: at.holder.identifier,
    };
    return json(token, { headers: UNSTORED });
  },
);
