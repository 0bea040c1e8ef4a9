import { fileOf } from '../../../shared/http/declaration.ts';
import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { CANNOT_RUN, file } from '../../../shared/http/response/answer.ts';
import { openOutput } from '../../batch/jobs/domain/open-outputs.ts';
import { JobParams } from '../contract.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/jobs/{jobId}/output',
    summary: 'Download the signed file of a job',
    description:
      'As an attachment, under the name that it was released by. It is there until retention removes it, whatever becomes of the profile.',
    tag: 'jobs',
    params: JobParams,
    query: NoQuery,
    answers: { 200: fileOf('*/*') },
    refuses: ['job.not-found', 'job.output-unavailable', 'job.output-gone', 'auth.misconfigured'],
    rate: 'All',
    streams: true,
  },
  async ({ params }) => {
    const { name, mediaType, content, length } = await openOutput(params.jobId, { byOwnName: true });
    return file(content, mediaType, { name, length, headers: CANNOT_RUN });
  },
);
