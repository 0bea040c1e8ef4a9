import { GetServiceAvailabilityResponse, IdentifierQuery, ServiceParams } from '../contract.ts';
import { checkAvailability } from '../domain/find-providers.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/services/{name}/availability',
    summary: 'Whether one provider answers, and holds a certificate for an identifier',
    params: ServiceParams,
    query: IdentifierQuery,
    answers: { 200: GetServiceAvailabilityResponse },
    refuses: ['ServiceNotFound'],
  },
  async ({ params, query, caller }) => checkAvailability(caller, params.name, query, () => Date.now()),
);
