import { jsonBody } from '../../../shared/http/body/reader.ts';
import { ServiceParams, ServiceSessionCreateRequest, TrustServiceAuthParametersModel } from '../contract.ts';
import { createSessionAt } from '../domain/create-session.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'POST /api/sessions/services/{name}',
    summary: 'Create a session at one provider',
    description: 'Answers the `authUrl` of this provider. The identifier is passed on as a login hint.',
    tag: 'sessions',
    params: ServiceParams,
    body: jsonBody(ServiceSessionCreateRequest),
    answers: { 200: TrustServiceAuthParametersModel },
    refuses: ['ServiceNotFound', 'InvalidRedirectUri', 'UnauthorizedRedirectUri'],
  },
  async ({ params, body, caller }) => createSessionAt(caller, params.name, body, Date.now()),
);
