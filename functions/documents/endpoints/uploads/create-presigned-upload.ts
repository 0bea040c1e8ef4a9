import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { PresignedUpload, PresignUpload } from '../../contract/uploads.ts';
import { requireHomeOrganization } from '../../domain/places/organization.ts';
import { presignUpload } from '../../domain/uploads/presigned-upload.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/uploads/presigned',
    can: 'documents.send',
    summary: 'Create an address to upload a file straight to the store',
    description:
      'For files that are larger than a request may be. Put the file to the address, then name the upload in POST /api/documents.',
    body: jsonBody(PresignUpload),
    answers: { 200: PresignedUpload },
    refuses: ['OrganizationRequired', 'OrganizationNotFound'],
  },
  async ({ body, caller }) =>
    presignUpload({ ...body, organizationId: await requireHomeOrganization(caller) }, Date.now()),
);
