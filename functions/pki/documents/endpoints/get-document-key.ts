import { pki, SIGNATURES } from '../../service.ts';
import { DocumentKeyStatusModel, KeyParams } from '../contract.ts';
import { readKey } from '../domain/allocate-keys.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /api/document-keys/{key}',
    summary: 'Read the key of a document',
    description: 'With its document, where it has one. An unknown key is an answer, with `found` false.',
    params: KeyParams,
    answers: { 200: DocumentKeyStatusModel },
    permission: SIGNATURES,
  },
  ({ caller, params }) => readKey(caller, params.key, Date.now()),
);
