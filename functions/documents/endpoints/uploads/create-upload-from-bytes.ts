import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { Upload, UploadBytes } from '../../contract/uploads.ts';
import { requireHomeOrganization } from '../../domain/places/organization.ts';
import { receiveUpload } from '../../domain/uploads/receive-upload.ts';
import { renderUpload } from '../../domain/uploads/upload.ts';
import { documents } from '../../service.ts';
import { settings } from '../../settings.ts';

// Base64 takes 4 characters for 3 bytes; the rest is the JSON around it.
const encodedLength = (bytes: number): number => Math.ceil(bytes / 3) * 4 + 1024;

export const handler = documents.endpoint(
  {
    route: 'POST /api/uploads/bytes',
    summary: 'Upload a file as base64 in JSON',
    description: 'For clients that cannot send a form. Name the id of the answer in POST /api/documents.',
    body: jsonBody(UploadBytes),
    maxBodyBytes: () => encodedLength(settings['Uploads:MaxBytes']),
    answers: { 200: Upload },
    refuses: ['UploadEmpty', 'OrganizationRequired', 'OrganizationNotFound'],
  },
  async ({ body, caller }) => {
    const content = Buffer.from(body.bytes, 'base64');
    const contentType = 'application/octet-stream';
    const organizationId = await requireHomeOrganization(caller);
    const request = { organizationId, name: undefined, contentType, content };
    return renderUpload(await receiveUpload(request, Date.now()));
  },
);
