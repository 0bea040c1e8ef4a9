import { type Multipart, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { json } from '../../../../shared/http/response/answer.ts';
import { invalid } from '../../../../shared/http/validate.ts';
import { errors } from '../../errors.ts';
import { batch } from '../../service.ts';
import { FILE_FORM, UploadedFile, UploadQuery } from '../contract/uploads.ts';
import type { Job } from '../domain/job/job.ts';
import { UPLOAD_REFUSALS } from '../domain/refusals.ts';
import {
  discardUpload,
  queueUpload,
  requireUploadTarget,
  type StoredUpload,
  storeUpload,
  type UploadTarget,
} from '../domain/upload-file.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/files',
    summary: 'Upload a file to be signed',
    description:
      'The file becomes a queued job. Without `format` its extension decides: .pdf, .xml, any other is Cades. Without `profile` the default one signs.',
    tag: 'jobs',
    query: UploadQuery,
    // The store refuses a file at the first byte over Upload:MaxBytes. The form itself is limited by Http:MaxBodyBytes.
    body: multipartBody({
      maxFiles: () => 1,
      maxFileBytes: () => Number.MAX_SAFE_INTEGER,
      files: ['file'],
      schema: FILE_FORM,
    }),
    maxBodyBytes: () => Number.MAX_SAFE_INTEGER,
    answers: { 202: UploadedFile },
    refuses: UPLOAD_REFUSALS,
    // What is no form has no file in it.
    situations: { tooLarge: 'upload.too-large', unsupportedMedia: 'upload.empty' },
    rate: 'Upload',
  },
  async ({ query, body }) => {
    const { id, fileName, originalPath, format, state } = await receive(
      await requireUploadTarget(query),
      body,
    );
    return json({ jobId: id, fileName, originalPath, format, status: state }, { status: 202 });
  },
);

/** Stores the part `file`. Its job is queued when the whole form was read, so that a broken form leaves none. */
async function receive(target: UploadTarget, { parts }: Multipart): Promise<Job> {
  let stored: StoredUpload | undefined;
  try {
    for await (const part of parts) {
      if (part.kind === 'field') throw unknownField(part.name);
      if (part.name !== 'file' || stored) continue;
      stored = await storeUpload(target, { name: part.fileName, content: part.content });
    }
  } catch (error) {
    if (stored) await discardUpload(stored);
    throw error;
  }
  if (!stored) throw errors.refuse('upload.empty');
  return queueUpload(stored, Date.now());
}

// Callers choose the names. One as long as a header tells no more than its beginning.
const MAX_NAME_CHARACTERS = 64;

/** A field that were ignored would leave a file to another profile or format than its sender meant. */
const unknownField = (name: string) =>
  invalid([
    {
      field: name.slice(0, MAX_NAME_CHARACTERS),
      message: 'is not a field of this form: its only part is file; profile and format are in the query',
    },
  ]);
