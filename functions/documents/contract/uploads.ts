import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { UPDATED, UPLOAD_ID } from './examples.ts';
import { line, MediaType, orNull } from './fields.ts';

/** The form of POST /api/uploads, for OpenAPI. */
export const UPLOAD_FORM = {
  type: 'object',
  description: 'The file, with its name and type where those of the part are not enough.',
  examples: [{ file: '(bytes of contract.pdf)', name: 'contract.pdf', contentType: 'application/pdf' }],
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary' },
    name: { type: 'string', description: 'In place of the name that the file part has.' },
    contentType: { type: 'string', description: 'In place of the type that the file part has.' },
  },
};

export const UploadBytes = z
  .object({
    bytes: z.base64().describe('The file, base64.'),
  })
  .meta({ description: 'A file in JSON.', examples: [{ bytes: 'JVBERi0xLjcK' }] });

export const Upload = z
  .object({
    id: z.uuid().describe('Name it in POST /api/documents.'),
    name: z.string().nullable(),
    contentType: z.string(),
    size: z.int(),
    digest: z.string().describe('MD5, hexadecimal.'),
    location: z
      .string()
      .startsWith('/')
      .describe('A path below the base URL of this service, which opens the file with the same key.'),
  })
  .meta({
    description: 'An upload that waits for a document.',
    examples: [
      {
        id: UPLOAD_ID,
        name: 'contract.pdf',
        contentType: 'application/pdf',
        size: 48_213,
        digest: '9e107d9d372bb6826bd81d3542a419d6',
        location: `/api/uploads/${UPLOAD_ID}/content`,
      },
    ],
  });

/** The fields of an upload form, without the file. */
export const UploadFields = z.object({ name: orNull(line(255)), contentType: orNull(MediaType) });

export const PresignUpload = z
  .object({
    name: line(255),
    contentType: MediaType.describe('To be sent as the header Content-Type of the put.'),
    size: z.int().min(1).describe('Of the file in bytes. A put of any other size is refused.'),
  })
  .meta({
    description: 'The file that will be put to the address.',
    examples: [{ name: 'contract.pdf', contentType: 'application/pdf', size: 48_213 }],
  });

export const PresignedUpload = z
  .object({
    id: z.uuid().describe('Name it in POST /api/documents once the file is put.'),
    method: z.literal('PUT'),
    url: z.url(),
    headers: z.record(z.string(), z.string()).describe('To be sent with the put.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    description: 'How to put the file, and the id that it will have.',
    examples: [
      {
        id: UPLOAD_ID,
        method: 'PUT',
        url: 'https://store.example/uploads/c0a8012e?X-Amz-Expires=3600',
        headers: { 'Content-Type': 'application/pdf' },
        expiresAt: UPDATED,
      },
    ],
  });

export const UploadParams = z.object({
  id: pathId().meta({ description: 'The id of the upload.', examples: [UPLOAD_ID] }),
});
