import { DocumentParams } from '../../contract/documents.ts';
import { SignaturesInfo } from '../../contract/signing/signers.ts';
import { readSignatures } from '../../domain/verification/signers.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}/signatures-details',
    can: 'documents.read',
    summary: 'Read who signed a document, and whether it is valid',
    description: 'Verifies the signed file as it is now. Before the first signature `signers` is empty.',
    params: DocumentParams,
    answers: { 200: SignaturesInfo },
    refuses: ['DocumentNotFound', 'ContentNotAvailable', 'FileNotVerifiable', 'SigningUnavailable'],
    streams: true,
  },
  async ({ params, caller }) => readSignatures(caller, params.id, Date.now()),
);
