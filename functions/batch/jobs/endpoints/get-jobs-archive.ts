import { Readable } from 'node:stream';
import { zipFiles } from '../../../../shared/archive/zip.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { batch } from '../../service.ts';
import { ArchiveQuery } from '../contract/lists.ts';
import { openOutputs } from '../domain/open-outputs.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs/archive',
    summary: 'Download the signed files of several jobs',
    description:
      'A ZIP of the outputs of at most 50 completed jobs. Files that have left output/ are left out, unless all have.',
    tag: 'jobs',
    query: ArchiveQuery,
    answers: { 200: fileOf('application/zip') },
    refuses: [
      'job.archive-empty',
      'job.archive-too-large',
      'job.not-found',
      'job.output-unavailable',
      'job.output-gone',
      'auth.misconfigured',
    ],
    streams: true,
  },
  async ({ query }) => {
    const outputs = await openOutputs([query.id ?? []].flat());
    return file(Readable.from(zipFiles(outputs)), 'application/zip', { name: 'signed-files.zip' });
  },
);
