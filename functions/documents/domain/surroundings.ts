import type { Document } from './document.ts';
import { folders } from './folders/folder.ts';
import type { Surroundings } from './notices.ts';
import { organizations } from './organizations/organization.ts';

type Placed = Pick<Document, 'folderId' | 'organizationId'>;

/**
 * Where many documents are, each folder and organization read once.
 * @example const where = await surroundingsOfAll(found); found.map((each) => shownInList(each, where(each)));
 */
export async function surroundingsOfAll(
  documents: readonly Placed[],
): Promise<(document: Placed) => Surroundings> {
  const folderIds = documents.map(({ folderId }) => folderId).filter((id) => id !== null);
  const [inFolders, inOrganizations] = await Promise.all([
    folders.getMany([...new Set(folderIds)]),
    organizations.getMany([...new Set(documents.map(({ organizationId }) => organizationId))]),
  ]);
  const folderOf = new Map(inFolders.map((folder) => [folder.id, folder]));
  const organizationOf = new Map(inOrganizations.map((organization) => [organization.id, organization]));
  return ({ folderId, organizationId }) => ({
    folder: folderId === null ? undefined : folderOf.get(folderId),
    organization: organizationOf.get(organizationId),
  });
}
