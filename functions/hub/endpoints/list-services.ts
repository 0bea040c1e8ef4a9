import { IdentifierQuery, TrustServices } from '../contract.ts';
import { listHolders } from '../domain/find-providers.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/services',
    summary: 'List the providers that hold a certificate for an identifier',
    description: 'All providers are asked at the same time. A provider that fails to answer is left out.',
    tag: 'providers',
    query: IdentifierQuery,
    answers: { 200: TrustServices },
  },
  async ({ query, caller }) => listHolders(caller, query, () => Date.now()),
);
