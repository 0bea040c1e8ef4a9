import * as z from 'zod';
import { mayBeEmpty } from '../../../../shared/http/query.ts';
import { MediaType } from '../../../../shared/http/request/media-type.ts';
import { Job, JobStatus, job } from './job.ts';

export const UploadedFile = z
  .object({
    jobId: z.uuid(),
    fileName: z.string(),
    originalPath: z.string(),
    format: Job.shape.format,
    status: JobStatus,
  })
  .meta({
    description: 'The job of an uploaded file.',
    examples: [
      {
        jobId: job.id,
        fileName: job.fileName,
        originalPath: job.originalPath,
        format: job.format,
        status: 'Queued',
      },
    ],
  });

const joinRepeated = (given: unknown): unknown => (Array.isArray(given) ? given.join(', ') : given);

export const UploadQuery = z.object({
  // An empty format, and several, are formats that are not supported: the domain refuses them by that code.
  format: mayBeEmpty(z.preprocess(joinRepeated, z.string().optional()).describe('Pades, Cades or Xades.')),
  profile: z.string().optional().describe('The name of a profile, in any case.'),
});

/** A misspelt or misplaced field is refused: it must not leave the file to another profile. */
export const PresignFile = z
  .strictObject({
    name: z.string().describe('The name of the file.'),
    contentType: MediaType.describe('To be sent as the header Content-Type of the put.'),
    size: z.int().min(0).describe('Of the file in bytes. A put of any other size is refused.'),
  })
  .meta({
    description: 'The file that will be put to the address.',
    examples: [{ name: job.fileName, contentType: 'application/pdf', size: 48_213 }],
  });

export const PresignedFile = z
  .object({
    id: z.uuid().describe('The id of the job, which exists when the file has arrived.'),
    method: z.literal('PUT'),
    url: z.url(),
    headers: z.record(z.string(), z.string()).describe('To be sent with the put.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    description: 'How to put the file, and the id that its job will have.',
    examples: [
      {
        id: job.id,
        method: 'PUT',
        url: `https://store.example/input/presigned/${job.id}/report.pdf?X-Amz-Expires=3600`,
        headers: { 'content-type': 'application/pdf' },
        expiresAt: '2026-03-02T13:00:00.000Z',
      },
    ],
  });

/** The form of an upload, for the contract document. */
export const FILE_FORM = {
  type: 'object',
  description: 'The file. Its part has a file name.',
  examples: [{ file: '(bytes of report.pdf)' }],
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name.' } },
} as const;
