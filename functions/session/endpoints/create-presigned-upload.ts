import { jsonBody } from '../../../shared/http/body/reader.ts';
import { PresignedUpload, PresignUpload } from '../contract.ts';
import { announceDocument } from '../domain/uploads/upload.ts';
import { session } from '../service.ts';

export const handler = session.endpoint(
  {
    route: 'POST /v1/uploads/presigned',
    summary: 'Create an address to put a PDF straight into the store',
    description:
      'For documents that are larger than a request may be. Put the PDF to the address, then name the upload in POST /v1/signatures or its batch. An upload is for this session alone, is used once, and is gone after a day.',
    tag: 'signatures',
    body: jsonBody(PresignUpload),
    answers: { 200: PresignedUpload },
    refuses: ['DOCUMENT_TOO_LARGE', 'SESSION_EXPIRED'],
  },
  async ({ body, caller }) => announceDocument(caller, body, Date.now()),
);
