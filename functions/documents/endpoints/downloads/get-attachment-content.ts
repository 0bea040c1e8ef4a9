import { AttachmentParams } from '../../contract/downloads.ts';
import { findDocument } from '../../domain/document/document.ts';
import { openAttachment } from '../../domain/downloads/stored-content.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}/attachments/{attachmentId}/content',
    can: 'documents.read',
    summary: 'Download an attachment of a document',
    description:
      'Answers the attachment as it was uploaded. The list of attachments is part of the document.',
    params: AttachmentParams,
    answers: { 200: ANY_FILE },
    refuses: ['DocumentNotFound', 'AttachmentNotFound'],
    streams: true,
  },
  async ({ params, caller }) =>
    contentResponse(await openAttachment(await findDocument(caller, params.id), params.attachmentId)),
);
