import { firstFile, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { validate } from '../../../../shared/http/validate.ts';
import { UPLOAD_FORM, Upload, UploadFields } from '../../contract/uploads.ts';
import { requireHomeOrganization } from '../../domain/places/organization.ts';
import { keepUpload, receiveFile } from '../../domain/uploads/receive-upload.ts';
import { renderUpload } from '../../domain/uploads/upload.ts';
import { errors } from '../../errors.ts';
import { documents } from '../../service.ts';
import { settings } from '../../settings.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/uploads',
    can: 'documents.send',
    summary: 'Upload a file as a form',
    description:
      'The file waits a day for a document that uses it. Name the id of the answer in POST /api/documents.',
    body: multipartBody({
      maxFiles: () => 1,
      maxFileBytes: () => settings['Uploads:MaxBytes'],
      schema: UPLOAD_FORM,
    }),
    answers: { 200: Upload },
    refuses: ['UploadEmpty', 'OrganizationRequired', 'OrganizationNotFound'],
  },
  async ({ body, caller }) => {
    const organizationId = await requireHomeOrganization(caller);
    const fields: Record<string, string> = {};
    const received = await firstFile(
      body,
      ({ fileName, contentType, content }) =>
        receiveFile({ organizationId, name: fileName, contentType, content }, Date.now()),
      fields,
    );
    if (!received) throw errors.refuse('UploadEmpty');
    return renderUpload(await keepUpload(received, validate(UploadFields, fields), Date.now()));
  },
);
