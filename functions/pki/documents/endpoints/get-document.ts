import { pki, SIGNATURES } from '../../service.ts';
import { DocumentModel, SignedDocumentParams } from '../contract.ts';
import { findDocument } from '../domain/document.ts';
import { documentModel } from '../domain/document-model.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /api/documents/{id}',
    summary: 'Read a signed document',
    description: 'With links to its files, which open without a key for an hour.',
    params: SignedDocumentParams,
    answers: { 200: DocumentModel },
    refuses: ['DocumentNotFound'],
    permission: SIGNATURES,
  },
  async ({ caller, params }) => documentModel(await findDocument(caller, params.id, Date.now())),
);
