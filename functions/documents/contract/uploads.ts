import * as z from 'zod';
import { line, MediaType, orNull } from './fields.ts';

/** The form of POST /api/uploads, for OpenAPI. */
export const UPLOAD_FORM = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary' },
    name: { type: 'string', description: 'In place of the name that the file part has.' },
    contentType: { type: 'string', description: 'In place of the type that the file part has.' },
  },
};

export const UploadBytes = z.object({
  bytes: z.base64().describe('The file, base64.'),
});

export const Upload = z.object({
  id: z.uuid().describe('Name it in POST /api/documents.'),
  name: z.string().nullable(),
  contentType: z.string(),
  size: z.int(),
  digest: z.string().describe('MD5, hexadecimal.'),
});

/** The fields of an upload form, without the file. */
export const UploadFields = z.object({ name: orNull(line(255)), contentType: orNull(MediaType) });

export const PresignUpload = z.object({
  name: line(255),
  contentType: MediaType.describe('To be sent as the header Content-Type of the put.'),
  size: z.int().min(1).describe('Of the file in bytes. A put of any other size is refused.'),
});

export const PresignedUpload = z.object({
  id: z.uuid().describe('Name it in POST /api/documents once the file is put.'),
  method: z.literal('PUT'),
  url: z.url(),
  headers: z.record(z.string(), z.string()).describe('To be sent with the put.'),
  expiresAt: z.iso.datetime(),
});
