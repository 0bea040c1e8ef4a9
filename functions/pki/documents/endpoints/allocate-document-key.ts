import { optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { AllocateDocumentKeyRequest, DocumentKeyModel } from '../contract.ts';
import { allocateKeys } from '../domain/allocate-keys.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/document-keys',
    summary: 'Get a key for a document to come',
    description: 'Print it on the document, and send it as `documentKey` when the document is signed.',
    body: optionalJsonBody(AllocateDocumentKeyRequest),
    answers: { 200: DocumentKeyModel },
    permission: SIGNATURES,
  },
  async ({ caller, body }) => {
    const provisionalMetadata = body.provisionalMetadata ?? null;
    const [key] = await allocateKeys(caller, { count: 1, provisionalMetadata });
    if (!key) throw new Error('No key was allocated.');
    return key;
  },
);
