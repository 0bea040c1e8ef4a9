import { readTogether } from '../../../../shared/store/group/read.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import type { Webhook } from '../../../../shared/webhooks/webhook.ts';
import { type Folder, folders, readOpenFolder } from '../places/folder.ts';
import {
  isActiveOrganization,
  type Organization,
  readOrganization,
  recentOrganization,
} from '../places/organization.ts';
import { webhooks } from './webhook-engine.ts';

type LocationIds = { readonly folderId: string | null; readonly organizationId: string };

export type DocumentLocation = {
  readonly folder: Folder | undefined;
  readonly organization: Organization | undefined;
  /** The webhooks of the organization, where they were read with it. */
  readonly webhooks?: readonly Webhook[];
};

/**
 * Reads the folder and the organization of a document with its webhooks, deleted or not, as they are now and in one
 * request: for a change of which somebody is told.
 */
export async function locate({ folderId, organizationId }: LocationIds): Promise<DocumentLocation> {
  const [folder, organization, registered] = await Promise.all([
    folderId === null ? undefined : readTogether(folders, folderId),
    readOrganization(organizationId),
    listWebhooks(webhooks, organizationId),
  ]);
  return { folder, organization, webhooks: registered };
}

// A deletion is one write. The contents are deleted in the background, perhaps minutes later:
//
//   delete   |--organization or folder: Deleting--204--|          task |--documents, a part at a time--|
//   reader                                               |--reads a document: its folder is closed: 404
//
// So every reader checks the organization and each folder above, and not the document alone.

/** For a call that looks at a document. Undefined where the organization or any folder above is deleted. */
export async function locateOpen({
  folderId,
  organizationId,
}: LocationIds): Promise<DocumentLocation | undefined> {
  const [folder, organization] = await Promise.all([
    folderId === null ? undefined : readOpenFolder(folderId),
    recentOrganization(organizationId),
  ]);
  const isOpen = isActiveOrganization(organization) && (folderId === null || folder !== undefined);
  return isOpen ? { folder, organization } : undefined;
}

/**
 * Locates many documents, and reads each folder and organization once.
 * @example const locationOf = await locateAll(found); found.map((each) => renderListItem(each, locationOf(each), nowMs));
 */
export async function locateAll(
  documents: readonly LocationIds[],
): Promise<(document: LocationIds) => DocumentLocation> {
  const folderIds = documents.map(({ folderId }) => folderId).filter((id) => id !== null);
  const [inFolders, inOrganizations] = await Promise.all([
    folderIds.length > 0 ? folders.getMany([...new Set(folderIds)]) : [],
    Promise.all([...new Set(documents.map((each) => each.organizationId))].map(recentOrganization)),
  ]);
  const folderOf = new Map(inFolders.map((folder) => [folder.id, folder]));
  const organizationOf = new Map(inOrganizations.map((organization) => [organization?.id, organization]));
  return ({ folderId, organizationId }) => ({
    folder: folderId === null ? undefined : folderOf.get(folderId),
    organization: organizationOf.get(organizationId),
  });
}
