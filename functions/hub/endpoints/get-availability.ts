import { GetServiceAvailabilityResponse, IdentifierQuery, ServiceParams } from '../contract.ts';
import { checkAvailability } from '../domain/find-providers.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/services/{name}/availability',
    summary: 'Ask one provider whether it holds a certificate for an identifier',
    description:
      'Tells whether the provider answered, and whether it holds a certificate for the identifier.',
    tag: 'providers',
    params: ServiceParams,
    query: IdentifierQuery,
    answers: { 200: GetServiceAvailabilityResponse },
    refuses: ['ServiceNotFound'],
  },
  async ({ params, query, caller }) => checkAvailability(caller, params.name, query, () => Date.now()),
);
