import { fileOf } from '../../../../shared/http/declaration.ts';
import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { CANNOT_RUN, file } from '../../../../shared/http/response/answer.ts';
import { batch } from '../../service.ts';
import { JobParams } from '../contract/job.ts';
import { openOutput } from '../domain/open-outputs.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs/{id}/output',
    summary: 'Download the signed file of a job',
    description:
      "Under the name that the profile's present rules give it. A file that is not in output/ under that name is gone.",
    tag: 'jobs',
    params: JobParams,
    query: NoQuery,
    answers: { 200: fileOf('*/*') },
    refuses: ['job.not-found', 'job.output-unavailable', 'job.output-gone', 'auth.misconfigured'],
    streams: true,
  },
  async ({ params }) => {
    const { name, mediaType, content, length } = await openOutput(params.id);
    return file(content, mediaType, { name, length, headers: CANNOT_RUN });
  },
);
