import { fileOf } from '../../../../shared/http/declaration.ts';
import { CANNOT_RUN, file } from '../../../../shared/http/response/answer.ts';
import { openOutput } from '../../jobs/domain/open-outputs.ts';
import { requireVisibleJob } from '../domain/visible-job.ts';
import { portalEndpoint } from '../portal.ts';

/** What came of an approval. */
export const handler = portalEndpoint(
  {
    route: 'GET /approvals/jobs/{id}/signed',
    summary: 'Download the signed file of a job that was approved',
    answers: { 200: fileOf('*/*') },
    refuses: ['job.not-found', 'job.output-unavailable', 'job.output-gone'],
    streams: true,
  },
  async ({ params }, { address }) => {
    const { id } = await requireVisibleJob(params.id ?? '', address);
    const { name, mediaType, content, length } = await openOutput(id);
    return file(content, mediaType, { name, length, headers: CANNOT_RUN });
  },
);
