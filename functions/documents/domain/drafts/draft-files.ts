import type { RangeRequest } from '../../../../shared/files/get.ts';
import { errors } from '../../errors.ts';
import { type Content, openStored } from '../downloads/stored-content.ts';
import { requireReceivedUpload } from '../uploads/take-or-collect.ts';
import { fileOf } from '../uploads/upload.ts';
import { type Author, findDraft } from './draft.ts';

type FileRequest = { readonly id: string; readonly fileId: string; readonly partOf: RangeRequest };

/** Opens a file of a draft, or a part of it. */
export async function openDraftFile(
  author: Author,
  { id, fileId, partOf }: FileRequest,
  nowMs: number,
): Promise<Content> {
  const { files, organizationId } = await findDraft(author, id, nowMs);
  const file = files.find((each) => each.id === fileId);
  if (!file) throw errors.refuse('UploadNotFound', { uploadId: fileId });
  const upload = await requireReceivedUpload(fileId, organizationId);
  return openStored({ ...file, key: fileOf(upload) }, partOf(file.size));
}
