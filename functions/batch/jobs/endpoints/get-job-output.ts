import { extname } from 'node:path';
import { file } from '../../../../shared/http/answer.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { NoQuery } from '../../query.ts';
import { batch } from '../../service.ts';
import { JobParams } from '../contract.ts';
import { openOutput } from '../domain/open-outputs.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.xml': 'application/xml',
  '.p7m': 'application/pkcs7-mime',
  '.pem': 'application/x-pem-file',
};

// Stored XSS: a signed file must not run as a page of this site, whatever a browser does with the download.
const CANNOT_RUN = { 'content-security-policy': "sandbox; default-src 'none'" };

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
    const { name, content, length } = await openOutput(params.id);
    const type = MEDIA_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
    return file(content, type, { name, length, headers: CANNOT_RUN });
  },
);
