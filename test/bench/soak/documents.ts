import { handler as create } from '../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as list } from '../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as createFolder } from '../../../functions/documents/endpoints/folders/create-folder.ts';
import { ownOrganization } from '../../functions/documents/own-organization.ts';
import { anUpload, SIGNER } from '../../functions/documents/sample-documents.ts';
import { call } from '../../http-event.ts';

export type Target = { readonly orgId: string; readonly key: string; readonly folderIds: readonly string[] };

/** A new organization, with so many folders. */
export async function newTarget(folders: number): Promise<Target> {
  const { orgId, key } = await ownOrganization();
  const folderIds: string[] = [];
  for (let n = 0; n < folders; n++) {
    const answer = await call(createFolder, { headers: { 'X-API-Key': key }, json: { name: `folder ${n}` } });
    folderIds.push((answer.json() as { id: string }).id);
  }
  return { orgId, key, folderIds };
}

/** Uploads a file and creates its document, at the root or in the folders by turns. Answers the status. */
export async function createOne({ orgId, key, folderIds }: Target, n: number): Promise<number> {
  const files = [{ id: await anUpload(orgId) }];
  const folderId = folderIds[n % folderIds.length];
  const json = { files, flowActions: [SIGNER], ...(folderId && { folderId }) };
  return (await call(create, { headers: { 'X-API-Key': key }, json })).status;
}

/** The documents of an organization, or of one of its folders, as its list counts them. */
export async function countListed({ key }: Target, query: Record<string, string> = {}): Promise<number> {
  const answer = await call(list, { headers: { 'X-API-Key': key }, query: { limit: '1', ...query } });
  return (answer.json() as { totalCount: number }).totalCount;
}

/** What the lists of a target are wrong by. The documents went to its folders by turns. */
export async function miscounted(target: Target, documents: number): Promise<number> {
  const { folderIds } = target;
  const inFolder = (n: number) => Math.floor((documents + folderIds.length - 1 - n) / folderIds.length);
  const differences = await Promise.all([
    countListed(target).then((total) => total - documents),
    countListed(target, { status: 'Pending' }).then((total) => total - documents),
    ...folderIds.map((folderId, n) => countListed(target, { folderId }).then((total) => total - inFolder(n))),
  ]);
  return differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
}
