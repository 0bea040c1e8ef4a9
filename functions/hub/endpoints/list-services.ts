import { IdentifierQuery, TrustServices } from '../contract.ts';
import { listHolders } from '../domain/find-providers.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/services',
    summary: 'The providers that hold a certificate for an identifier',
    description: 'All are asked side by side. A provider that fails to answer is left out.',
    query: IdentifierQuery,
    answers: { 200: TrustServices },
  },
  async ({ query, caller }) => listHolders(caller, query, () => Date.now()),
);
