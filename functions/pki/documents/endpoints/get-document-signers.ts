import { pki, SIGNATURES } from '../../service.ts';
import { DocumentSigners, SignedDocumentParams } from '../contract.ts';
import { documentSigners } from '../domain/document-signers.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /api/documents/{id}/signers',
    summary: 'Read the signatures of a signed document',
    description: 'As its signed file says, those of its original file included. Certificates are not judged.',
    params: SignedDocumentParams,
    answers: { 200: DocumentSigners },
    refuses: ['DocumentNotFound'],
    permission: SIGNATURES,
  },
  ({ caller, params }) => documentSigners(caller, params.id, Date.now()),
);
