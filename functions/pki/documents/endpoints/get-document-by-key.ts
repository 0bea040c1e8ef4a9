import { pki, SIGNATURES } from '../../service.ts';
import { FoundDocumentModel, KeyParams } from '../contract.ts';
import { readKey } from '../domain/allocate-keys.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /api/documents/keys/{key}',
    summary: 'Read a signed document by its key',
    description: 'An unknown key is an answer, with `found` false.',
    params: KeyParams,
    answers: { 200: FoundDocumentModel },
    permission: SIGNATURES,
  },
  async ({ caller, params }) => {
    const { document } = await readKey(caller, params.key, Date.now());
    return { found: document !== null, document };
  },
);
