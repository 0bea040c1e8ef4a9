import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { formatOf, type SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { CreateDocuments, FileRef } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { newKeySecret } from '../document/action-link.ts';
import type { Attachment, StoredFile } from '../document/document.ts';
import { fileOf, type Upload } from '../uploads/upload.ts';
import type { NewDocument } from './creation.ts';

type FileReference = z.output<typeof FileRef>;
type BuildInput = { readonly request: CreateDocuments; readonly uploads: ReadonlyMap<string, Upload> };

/** The part of a new document that depends on its file. */
export async function buildDocument(
  ref: FileReference,
  { request, uploads }: BuildInput,
): Promise<NewDocument> {
  const { original, format } = await inspectFile(ref, uploads, request.forceCadesSignature ?? false);
  const id = randomUUID();
  return {
    id,
    name: ref.displayName ?? original.name,
    original,
    format,
    keySecret: newKeySecret(),
    attachments: (request.attachments ?? []).map((each) => attachmentOf(each, uploads)),
  };
}

/** Describes a file to be signed: stored unchanged, with the content type of its bytes where those say more. */
export async function inspectFile(ref: FileReference, uploads: BuildInput['uploads'], forceCades: boolean) {
  const stored = storedFileOf(ref, uploads);
  const described = { contentType: stored.contentType, firstBytes: await firstBytesOf(stored), forceCades };
  const contentType = contentTypeOf(formatOf({ ...described, forceCades: false }), stored.contentType);
  return { original: { ...stored, contentType }, format: formatOf(described) };
}

// The bytes decide over the sender: a browser shows a PDF only under its own content type.
function contentTypeOf(looksLike: SignatureFormat, named: string): string {
  if (looksLike === 'PAdES') return 'application/pdf';
  return looksLike === 'XAdES' && !/xml/i.test(named) ? 'application/xml' : named;
}

const attachmentOf = (ref: FileReference, uploads: BuildInput['uploads']): Attachment => {
  const stored = storedFileOf(ref, uploads);
  return { ...stored, id: randomUUID(), displayName: ref.displayName ?? stored.name };
};

function storedFileOf(ref: FileReference, uploads: BuildInput['uploads']): StoredFile {
  const upload = uploads.get(ref.id);
  if (!upload) throw errors.refuse('UploadNotFound', { uploadId: ref.id });
  return {
    key: fileOf(upload),
    name: safeFileName(ref.name ?? upload.name ?? ref.displayName ?? 'document'),
    contentType: ref.contentType ?? upload.contentType,
    size: upload.size,
    md5: upload.md5,
  };
}

async function firstBytesOf({ key }: StoredFile): Promise<Buffer> {
  const opened = await files('documents').get(key);
  if (!opened) throw errors.refuse('UploadNotFound', { uploadId: key });
  try {
    for await (const chunk of opened.stream) return Buffer.from(chunk);
    return Buffer.alloc(0);
  } finally {
    opened.stream.destroy();
  }
}
