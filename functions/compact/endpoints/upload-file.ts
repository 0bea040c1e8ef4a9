import { firstFile, type Multipart, multipartBody } from '../../../shared/http/body/multipart.ts';
import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { json } from '../../../shared/http/response/answer.ts';
import { invalid, validate } from '../../../shared/http/validate.ts';
import type { Job } from '../../batch/jobs/domain/job/job.ts';
import { UPLOAD_REFUSALS } from '../../batch/jobs/domain/refusals.ts';
import { discardUpload, type StoredUpload, type UploadTarget } from '../../batch/jobs/domain/upload-file.ts';
import { AcceptedFile, UPLOAD_FORM, UploadFields } from '../contract.ts';
import {
  linksOf,
  queueFile,
  receiveFile,
  requireOptions,
  requireTarget,
  type UploadOptions,
} from '../domain/upload-file.ts';
import { errors } from '../errors.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'POST /api/files',
    summary: 'Upload a file to be signed',
    description:
      'The file becomes a pending job of the profile Compact:Profile, or else of the default one. The fields of the form come before or after the file.',
    tag: 'jobs',
    query: NoQuery,
    // The store refuses a file at the first byte over FileValidation:MaxFileSizeMb. The form itself is limited by
    // Http:MaxBodyBytes.
    body: multipartBody({
      maxFiles: () => 1,
      maxFileBytes: () => Number.MAX_SAFE_INTEGER,
      schema: UPLOAD_FORM,
    }),
    maxBodyBytes: () => Number.MAX_SAFE_INTEGER,
    answers: { 202: AcceptedFile },
    refuses: [...UPLOAD_REFUSALS, 'upload.extension-unsupported'],
    // What is no form has no file in it.
    situations: { tooLarge: 'upload.too-large', unsupportedMedia: 'upload.empty' },
    rate: 'All',
  },
  async ({ body }) => {
    const { id } = await receive(await requireTarget(), body);
    return json({ jobId: id, ...linksOf(id) }, { status: 202 });
  },
);

/** Stores the part `file`. Its job is queued when the whole form was read, so that a broken form leaves none. */
async function receive(target: UploadTarget, body: Multipart): Promise<Job> {
  const form: Record<string, string> = Object.create(null);
  let stored: StoredUpload | undefined;
  let options: UploadOptions;
  try {
    await firstFile(
      body,
      async ({ name, fileName, content }) => {
        if (name !== 'file') throw invalid([{ field: name, message: 'is no file of this form: file is' }]);
        stored = await receiveFile(target, { name: fileName, content });
      },
      form,
    );
    options = requireOptions(target, readFields(form, stored !== undefined));
  } catch (error) {
    if (stored) await discardUpload(stored);
    throw error;
  }
  if (!stored) throw errors.refuse('upload.empty');
  return queueFile(stored, options, Date.now());
}

function readFields({ file, ...fields }: Readonly<Record<string, string>>, hasFile: boolean) {
  // Without a file name the part is a field.
  if (file && !hasFile) throw errors.refuse('upload.invalid-name');
  if (file !== undefined && hasFile) throw invalid([{ field: 'file', message: 'may be given once' }]);
  return validate(UploadFields, fields);
}
