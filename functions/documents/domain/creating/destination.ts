import type { Caller } from '../../../../shared/access/caller.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { CreateDocuments } from '../../contract/create-document.ts';
import type { DocumentLocation } from '../document/location.ts';
import { creatingFolder } from '../places/create-folder.ts';
import { findFolder } from '../places/folder.ts';
import { homeOrganizationOf, requireActiveOrganization } from '../places/organization.ts';

/** The location of new documents, and the writes that it needs. */
export type Destination = {
  readonly organizationId: string;
  readonly folderId: string | null;
  readonly location: DocumentLocation;
  readonly writes: readonly Write[];
};

/** The folder that the request names, a new folder in it, or the root of the organization. */
export async function resolveDestination(
  caller: Caller,
  { folderId, newFolderName }: Pick<CreateDocuments, 'folderId' | 'newFolderName'>,
  nowMs: number,
): Promise<Destination> {
  const parent = folderId === null ? null : await findFolder(caller, folderId);
  const organizationId = parent?.organizationId ?? homeOrganizationOf(caller);
  const organization = await requireActiveOrganization(organizationId);
  if (newFolderName === null) {
    const location = { folder: parent ?? undefined, organization };
    return { organizationId, folderId, location, writes: [] };
  }
  const { folder, writes } = await creatingFolder({ name: newFolderName, parent, organizationId }, nowMs);
  return { organizationId, folderId: folder.id, location: { folder, organization }, writes };
}
