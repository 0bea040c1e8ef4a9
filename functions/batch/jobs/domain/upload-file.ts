import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { resumeIteration } from '../../../../shared/async/resume-iteration.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import type { StoredFile } from '../../../../shared/files/put.ts';
import { errors } from '../../errors.ts';
import { findProfile } from '../../profiles/domain/find-profile.ts';
import type { Profile } from '../../profiles/domain/profile.ts';
import { say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import { createJob } from './job/create-job.ts';
import { nameOfFile, safeNameOf } from './job/file-name.ts';
import { JOB_FORMATS, type Job, type JobFormat, type NewJob } from './job/job.ts';
import type { NameRules } from './job/names.ts';
import { willEncrypt } from './job/output-names.ts';

/** Uploaded files, each in a folder with the id of its job. Not below input/: nobody is told of these. */
export const UPLOADS = 'uploads';

/** The key of an uploaded file. */
export const keyOfUpload = (id: string, fileName: string): string =>
  `${UPLOADS}/${id}/${safeNameOf(fileName)}`;

/** The path that an uploaded file is known by: jobs of one name have the same. */
export const pathOfUpload = (fileName: string): string => `input/uploads/${fileName}`;

/** Longer paths are refused at intake. */
export const MAX_PATH_CHARACTERS = 850;

export type UploadTarget = { readonly profile: Profile; readonly format: JobFormat | undefined };

/** Everything that can be refused before a byte of the file is read, in the order of the specification. */
export async function requireUploadTarget(request: {
  readonly profile?: string | undefined;
  readonly format?: string | undefined;
}): Promise<UploadTarget> {
  if (!settings['Upload:Enabled']) throw errors.refuse('upload.disabled');
  const profile = await findProfile(request.profile);
  if (!profile) {
    const wanted = request.profile ?? 'none is named, and there is no default profile';
    throw errors.refuse('profile.not-found', { profile: wanted }, { status: 400 });
  }
  if (!profile.enabled) throw errors.refuse('profile.disabled', { profile: profile.name });
  if (profile.method === 'SignerFolder')
    throw errors.refuse('profile.takes-no-files', { profile: profile.name });
  return { profile, format: parseFormat(request.format) ?? profile.format };
}

function parseFormat(text: string | undefined): JobFormat | undefined {
  if (text === undefined) return undefined;
  const format = JOB_FORMATS.find((name) => name.toLowerCase() === text.toLowerCase());
  if (!format) throw errors.refuse('upload.format-unsupported', { format: text });
  return format;
}

/** The extension decides, not the content. */
export function formatByExtension(fileName: string): JobFormat {
  // A trailing dot or space is no part of an extension.
  const name = safeNameOf(fileName);
  return /\.pdf$/i.test(name) ? 'Pades' : /\.xml$/i.test(name) ? 'Xades' : 'Cades';
}

export const formatOfUpload = ({ format }: UploadTarget, fileName: string): JobFormat =>
  format ?? formatByExtension(fileName);

/** The name of an uploaded file, without any folder. Refused without one, or where its path would be too long. */
export function requireUploadName(given = ''): string {
  const name = nameOfFile(given.split(/[/\\]/).at(-1) ?? '');
  if (name === undefined) throw errors.refuse('upload.invalid-name');
  if (pathOfUpload(given).length > MAX_PATH_CHARACTERS)
    throw errors.refuse('job.path-too-long', { maxCharacters: MAX_PATH_CHARACTERS }, { status: 400 });
  return name;
}

export const tooLarge = (maxBytes: number) => errors.refuse('upload.too-large', { maxBytes });

export type FileRequest = {
  /** As the form gives it. */
  readonly name: string | undefined;
  readonly content: Readable;
  readonly externalReference?: string;
  readonly encryption?: boolean;
};

/** A file in input/ that is no job yet. */
export type StoredUpload = UploadTarget &
  Pick<FileRequest, 'externalReference' | 'encryption'> & {
    readonly id: string;
    readonly fileName: string;
    readonly inputKey: string;
    readonly length: number;
    readonly etag: string;
  };

// The file is stored under the id of its job before the job exists, so that two uploads of one name never meet:
//
//   upload 1  |--uploads/<id 1>/report.pdf--|--job 1 + claims of path and name--| 202
//   upload 2    |--uploads/<id 2>/report.pdf----|--refused; its file is removed--| 409
//
// A function that is killed in between leaves a file without a job. Retention removes it a day later.

type StoreOptions = {
  readonly maxBytes?: number;
  /** Throws where the name is not one for the surface. */
  readonly requireName?: (fileName: string) => void;
};

/** Stores a file while it arrives. At the first byte over `maxBytes` it is refused, and nothing is stored. */
export async function storeUpload(
  target: UploadTarget,
  request: FileRequest,
  { maxBytes = settings['Upload:MaxBytes'], requireName }: StoreOptions = {},
): Promise<StoredUpload> {
  const { name, content, ...options } = request;
  const rest: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done) throw errors.refuse('upload.empty');
  const fileName = requireUploadName(name);
  requireName?.(fileName);
  const id = randomUUID();
  const inputKey = keyOfUpload(id, fileName);
  const { length, etag } = await storeFile(inputKey, resumeIteration(first.value, rest), maxBytes);
  return { ...target, ...options, id, fileName, inputKey, length, etag };
}

/** Removes a stored file that becomes no job: its form is broken. */
export const discardUpload = ({ inputKey }: StoredUpload): Promise<void> => files('batch').remove(inputKey);

/** The job of an uploaded file. */
export const jobOfUpload = ({
  id,
  fileName,
  inputKey,
  format,
  profileName,
  externalReference = null,
  encryption = null,
  encryptionEnabled = encryption ?? false,
}: Pick<NewJob, 'id' | 'fileName' | 'inputKey' | 'format' | 'profileName'> &
  Partial<Pick<NewJob, 'externalReference' | 'encryption' | 'encryptionEnabled'>>): NewJob => ({
  id,
  fileName,
  originalPath: pathOfUpload(fileName),
  folder: null,
  inputShare: null,
  inputKey,
  format,
  source: 'Upload',
  parentJobId: null,
  profileName,
  externalReference,
  encryption,
  encryptionEnabled,
});

/** Queues the job of a stored file, by the rules for names of its surface. */
export async function queueUpload(
  upload: StoredUpload,
  nowMs: number,
  rules: Partial<NameRules> = {},
): Promise<Job> {
  const { fileName, profile, length, etag, encryption = null } = upload;
  const format = formatOfUpload(upload, fileName);
  const encryptionEnabled = willEncrypt(encryption, profile);
  const request = jobOfUpload({ ...upload, format, profileName: profile.name, encryptionEnabled });
  try {
    return await createJob(
      request,
      { message: say('job.uploaded'), input: { length, etag }, ...rules },
      nowMs,
    );
  } catch (error) {
    // After any other failure nobody knows whether the job exists. Without one, retention removes the file.
    if (error instanceof Refusal) await discardUpload(upload);
    throw error;
  }
}

async function storeFile(
  key: string,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredFile> {
  try {
    return await files('batch').put(key, content, { contentType: 'application/octet-stream', maxBytes });
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(maxBytes) : error;
  }
}
