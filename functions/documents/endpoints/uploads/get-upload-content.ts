import { UploadParams } from '../../contract/uploads.ts';
import { openUpload } from '../../domain/uploads/take-or-collect.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/uploads/{id}/content',
    can: 'documents.send',
    summary: 'Download an upload',
    description: 'Opens the location that an upload was answered with, until a document uses the upload.',
    params: UploadParams,
    answers: { 200: ANY_FILE },
    refuses: ['UploadNotFound', 'UploadIncomplete', 'UploadAlreadyUsed'],
    streams: true,
  },
  async ({ params, caller }) => contentResponse(await openUpload(caller, params.id)),
);
