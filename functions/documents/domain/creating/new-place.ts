import type { Caller } from '../../../../shared/access/caller.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { CreateDocuments } from '../../contract/create-document.ts';
import { creatingFolder } from '../places/create-folder.ts';
import { findFolder, folders } from '../places/folder.ts';
import { activeOrganization, homeOrganization } from '../places/organization.ts';

/** Where new documents go, and what must be written or hold for that. */
export type Place = {
  readonly organizationId: string;
  readonly folderId: string | null;
  readonly writes: readonly Write[];
};

/** The folder that the call names, or a new one in it, or none: then the documents are at the organization's root. */
export async function placeFor(
  { folderId, newFolderName }: Pick<CreateDocuments, 'folderId' | 'newFolderName'>,
  caller: Caller,
  nowMs: number,
): Promise<Place> {
  const parent = folderId === null ? null : await findFolder(folderId, caller);
  const organizationId = parent?.organizationId ?? homeOrganization(caller);
  if (!parent) await activeOrganization(organizationId);
  if (newFolderName === null)
    return { organizationId, folderId, writes: parent ? [folders.unchanged(parent)] : [] };
  const { folder, writes } = await creatingFolder({ name: newFolderName, parent, organizationId, nowMs });
  return { organizationId, folderId: folder.id, writes };
}
