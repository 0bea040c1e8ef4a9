import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentModel } from '../../documents/contract.ts';
import { documentModel } from '../../documents/domain/document-model.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { CompleteSignatureRequest } from '../contract.ts';
import { finishSignature } from '../domain/finish-signature.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/signature/completion',
    summary: 'Complete a signature',
    description: 'Takes the signature value, and answers the signed document with links to its files.',
    body: jsonBody(CompleteSignatureRequest),
    answers: { 200: DocumentModel },
    refuses: ['InvalidToken', 'InvalidSignature', 'EntityNotFound', 'EntityAlreadyExists'],
    permission: SIGNATURES,
  },
  async ({ caller, body }) => documentModel(await finishSignature(caller, body, Date.now())),
);
