import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { Upload, UploadBytes } from '../../contract/uploads.ts';
import { requireHomeOrganization } from '../../domain/places/organization.ts';
import { receiveUpload } from '../../domain/uploads/receive-upload.ts';
import { renderUpload } from '../../domain/uploads/upload.ts';
import { maxBase64Body } from '../../http/base64-body.ts';
import { documents } from '../../service.ts';

// The JSON around the file.
const JSON_BYTES = 1024;

export const handler = documents.endpoint(
  {
    route: 'POST /api/uploads/bytes',
    can: 'documents.send',
    summary: 'Upload a file as base64 in JSON',
    description: 'For clients that cannot send a form. Name the id of the answer in POST /api/documents.',
    body: jsonBody(UploadBytes),
    maxBodyBytes: () => maxBase64Body(JSON_BYTES),
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
