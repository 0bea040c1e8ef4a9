import { pki, SIGNATURES } from '../../service.ts';
import { DocumentKeys, UnusedKeysQuery } from '../contract.ts';
import { unusedKeysBy } from '../domain/allocate-keys.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /api/document-keys/unused',
    summary: 'List keys that wait for their document',
    description:
      'Those with this value in their provisional metadata, in any case, or all of them; a thousand at most.',
    query: UnusedKeysQuery,
    answers: { 200: DocumentKeys },
    permission: SIGNATURES,
  },
  ({ caller, query }) => unusedKeysBy(caller, query),
);
