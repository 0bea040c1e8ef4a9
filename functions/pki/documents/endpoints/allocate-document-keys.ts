import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { AllocateDocumentKeysRequest, DocumentKeys } from '../contract.ts';
import { allocateKeys } from '../domain/allocate-keys.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/document-keys/batch',
    summary: 'Get keys for documents to come',
    description: 'As POST /api/document-keys, up to 100 at a time.',
    body: jsonBody(AllocateDocumentKeysRequest),
    answers: { 200: DocumentKeys },
    permission: SIGNATURES,
  },
  ({ caller, body: { count, provisionalMetadata = null } }) =>
    allocateKeys(caller, { count, provisionalMetadata }),
);
