import * as z from 'zod';
import { MediaType } from './media-type.ts';
import { given, line } from './people.ts';

/** The fields of an upload form, beside the file. */
export const UploadFields = z.object({ name: given(line(255)), contentType: given(MediaType) });

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
