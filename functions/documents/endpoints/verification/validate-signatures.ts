import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { Signers, ValidateSignatures } from '../../contract/signing/signers.ts';
import { validateSignatures } from '../../domain/verification/signers.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/validate-signatures',
    can: 'documents.read',
    summary: 'Validate the signatures of an upload',
    description:
      'Verifies a file that was uploaded, and answers who signed it. The upload can be used afterwards.',
    body: jsonBody(ValidateSignatures),
    answers: { 200: Signers },
    refuses: [
      'UploadNotFound',
      'UploadIncomplete',
      'UploadAlreadyUsed',
      'FileNotVerifiable',
      'SigningUnavailable',
    ],
  },
  async ({ body, caller }) => validateSignatures(caller, body.fileId, Date.now()),
);
