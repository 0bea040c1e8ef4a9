import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { INSPECTION_CODES } from '../codes.ts';
import { InspectSignatureRequest, InspectSignatureResponse } from '../contract.ts';
import { inspectSignature } from '../domain/inspection-models.ts';

export const handler = pki.endpoint(
  {
    route: 'PUT /api/signature-inspection',
    summary: 'Read and validate the signatures of a file',
    description:
      'Reads the signatures of the file, and validates them where `validate` asks for it. A detached CMS without its data is an answer with `success` false. The file is not kept.',
    body: jsonBody(InspectSignatureRequest),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: InspectSignatureResponse },
    refuses: INSPECTION_CODES,
    permission: SIGNATURES,
  },
  ({ caller, body }) => inspectSignature(caller, body, Date.now()),
);
