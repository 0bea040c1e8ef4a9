import * as z from 'zod';

export const OrganizationParams = z.object({ orgId: z.string().max(64).describe('As a key is scoped to.') });

export const OrganizationDetails = z.object({
  id: z.string(),
  name: z.string(),
  identifier: z.string().nullable().describe('CNPJ; null for a personal organization.'),
  owner: z.object({ id: z.string(), name: z.string() }),
});

/** The form of POST /api/uploads, for the contract document. */
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
