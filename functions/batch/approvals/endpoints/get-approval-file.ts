import { fileOf } from '../../../../shared/http/declaration.ts';
import { CANNOT_RUN, file } from '../../../../shared/http/response/answer.ts';
import { errors } from '../../errors.ts';
import { openApproved } from '../domain/kept-files.ts';
import { requireVisibleJob } from '../domain/visible-job.ts';
import { portalEndpoint } from '../portal.ts';

const MEDIA_TYPE = 'application/octet-stream';

/** The bytes that will be signed, or that were decided on. */
export const handler = portalEndpoint(
  {
    route: 'GET /approvals/jobs/{id}/file',
    summary: 'Download the file that waits for approval, or was not approved',
    answers: { 200: fileOf(MEDIA_TYPE) },
    refuses: ['job.not-found'],
    streams: true,
  },
  async ({ params }, { address }) => {
    const job = await requireVisibleJob(params.id ?? '', address);
    const opened = await openApproved(job);
    if (!opened) throw errors.refuse('job.not-found');
    const { stream, length } = opened;
    return file(stream, MEDIA_TYPE, { name: job.fileName, length, headers: CANNOT_RUN });
  },
);
