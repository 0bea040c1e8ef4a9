import { GetServiceAvailabilityResponse, IdentifierQuery, ServiceParams } from '../contract.ts';
import { availabilityAt } from '../domain/discover.ts';
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
  async ({ params, query, caller }) => availabilityAt(params.name, query, caller),
);
