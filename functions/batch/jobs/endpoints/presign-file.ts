import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { batch } from '../../service.ts';
import { PresignedFile, PresignFile, UploadQuery } from '../contract/uploads.ts';
import { announceFile } from '../domain/presigned-upload.ts';
import { UPLOAD_REFUSALS } from '../domain/refusals.ts';
import { requireUploadTarget } from '../domain/upload-file.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/files/presigned',
    summary: 'Create an address to put a file straight into the store',
    description:
      'For files that are larger than a form may be. Put the file to the address: when it has arrived it becomes the job with this id. Until then no job has the id. A file of another size becomes no job. Where another job has the name by then, the job is Failed with the code that POST /api/files answers.',
    tag: 'jobs',
    query: UploadQuery,
    body: jsonBody(PresignFile),
    answers: { 200: PresignedFile },
    refuses: UPLOAD_REFUSALS,
    rate: 'Upload',
  },
  async ({ query, body }) => announceFile(await requireUploadTarget(query), body, Date.now()),
);
