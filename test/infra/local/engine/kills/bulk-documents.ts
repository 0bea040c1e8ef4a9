import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { callerFor, manyLike, someDocuments } from '../../../../functions/documents/sample-documents.ts';

/** A new folder with so many documents. Writes to the stores that this process works on, as the platform does. */
export async function folderOf(organizationId: string, documents: number): Promise<string> {
  const request = { name: `${documents} documents`, parentId: null };
  const { id: folderId } = await createFolder(callerFor(organizationId), request, Date.now());
  const [sample = ''] = await someDocuments(organizationId, { folderId });
  await manyLike(sample, documents - 1);
  return folderId;
}

/** Fills an organization with so many documents. */
export async function fill(organizationId: string, documents: number): Promise<void> {
  const [sample = ''] = await someDocuments(organizationId);
  await manyLike(sample, documents - 1);
}
