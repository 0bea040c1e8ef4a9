import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { formatOfKind, type SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { CreateDocuments, FileRef } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { newKeySecret } from '../document/action-link.ts';
import type { Attachment, StoredFile } from '../document/document.ts';
import { documentIdOfCode, newCode } from '../document/verification-code.ts';
import { fileOf, type Upload } from '../uploads/upload.ts';
import type { NewDocument } from './creating-document.ts';

type FileReference = z.output<typeof FileRef>;
type AttachmentReference = NonNullable<CreateDocuments['attachments']>[number];
type BuildInput = {
  readonly request: Pick<CreateDocuments, 'attachments' | 'forceCadesSignature'>;
  readonly uploads: ReadonlyMap<string, Upload>;
  /** Its verification code, where it is no new one. */
  readonly code?: string | undefined;
};

/** The part of a new document that depends on its file. `parts` are those of an envelope. */
export function buildDocument(
  ref: FileReference,
  { request, uploads, code = newCode() }: BuildInput,
  parts?: NewDocument['parts'],
): NewDocument {
  const { original, format } = inspectFile(ref, uploads, request.forceCadesSignature ?? false);
  return {
    id: documentIdOfCode(code),
    code,
    uploadId: ref.id,
    name: ref.displayName ?? original.name,
    original,
    ...(parts && { parts }),
    format,
    keySecret: newKeySecret(),
    attachments: (request.attachments ?? []).map((each) => attachmentOf(each, uploads)),
  };
}

/** Describes a file to be signed: stored unchanged, with the content type of its bytes where those say more. */
export function inspectFile(ref: FileReference, uploads: BuildInput['uploads'], forceCades: boolean) {
  const upload = requireUpload(ref, uploads);
  const stored = storedFileOf(ref, upload);
  const { kind = 'other' } = upload;
  const { contentType } = stored;
  const looksLike = formatOfKind(kind, { contentType, forceCades: false });
  const format = formatOfKind(kind, { contentType, forceCades });
  return { original: { ...stored, contentType: contentTypeOf(looksLike, contentType) }, format };
}

// The bytes decide over the sender: a browser shows a PDF only under its own content type.
function contentTypeOf(looksLike: SignatureFormat, named: string): string {
  if (looksLike === 'PAdES') return 'application/pdf';
  return looksLike === 'XAdES' && !/xml/i.test(named) ? 'application/xml' : named;
}

const attachmentOf = (ref: AttachmentReference, uploads: BuildInput['uploads']): Attachment => {
  const stored = storedFileOf(ref, requireUpload(ref, uploads));
  const displayName = ref.displayName ?? stored.name;
  return { ...stored, id: randomUUID(), displayName, isPrivate: ref.isPrivate ?? false };
};

/** The name under which a file is shown. */
export const shownName = (ref: FileReference, upload: Upload): string =>
  ref.displayName ?? storedFileOf(ref, upload).name;

function requireUpload({ id }: FileReference, uploads: BuildInput['uploads']): Upload {
  const upload = uploads.get(id);
  if (!upload) throw errors.refuse('UploadNotFound', { uploadId: id });
  return upload;
}

const storedFileOf = (ref: FileReference, upload: Upload): StoredFile => ({
  key: fileOf(upload),
  name: safeFileName(ref.name ?? upload.name ?? ref.displayName ?? 'document'),
  contentType: ref.contentType ?? upload.contentType,
  size: upload.size,
  md5: upload.md5,
});
