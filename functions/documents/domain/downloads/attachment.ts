import { errors } from '../../errors.ts';
import type { Document } from '../document/document.ts';
import { FileGone } from '../document/newest-file.ts';
import { type Content, openKept } from './stored-content.ts';

/** Opens a file that accompanies a document. It is there in every status. */
export async function openAttachment({ attachments }: Document, attachmentId: string): Promise<Content> {
  const attachment = attachments.find(({ id }) => id === attachmentId);
  if (!attachment) throw attachmentNotFound(attachmentId);
  return openKept(attachment).catch((error) => {
    // The document was deleted since it was read, and its files with it.
    throw error instanceof FileGone ? attachmentNotFound(attachmentId) : error;
  });
}

const attachmentNotFound = (attachmentId: string) =>
  errors.refuse('AttachmentNotFound', { resourceName: 'Attachment', resourceId: attachmentId });
