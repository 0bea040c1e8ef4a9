import { handler as create } from '../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as list } from '../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as createFolder } from '../../../../functions/documents/endpoints/folders/create-folder.ts';
import { ownOrganization } from '../../../functions/documents/own-organization.ts';
import { anUpload, SIGNER } from '../../../functions/documents/sample-documents.ts';
import { call } from '../../../requests/http-event.ts';

export type Target = {
  readonly orgId: string;
  readonly key: string;
  /** The documents made so far in each folder; where there are no folders, at the root: ''. */
  readonly made: Map<string, number>;
};

/** A new organization, with so many folders. */
export async function newTarget(folders: number): Promise<Target> {
  const { orgId, key } = await ownOrganization();
  const made = new Map<string, number>(folders === 0 ? [['', 0]] : []);
  for (let n = 0; n < folders; n++) {
    const answer = await call(createFolder, { headers: { 'X-API-Key': key }, json: { name: `folder ${n}` } });
    made.set((answer.json() as { id: string }).id, 0);
  }
  return { orgId, key, made };
}

/** Uploads a file and creates its document, in the folders by turns. Answers the status. */
export async function createOne({ orgId, key, made }: Target, n: number): Promise<number> {
  const files = [{ id: await anUpload(orgId) }];
  const folderId = [...made.keys()][n % made.size] ?? '';
  const json = { files, flowActions: [SIGNER], ...(folderId && { folderId }) };
  const { status } = await call(create, { headers: { 'X-API-Key': key }, json });
  if (status === 200) made.set(folderId, (made.get(folderId) ?? 0) + 1);
  return status;
}

/** The documents of an organization, or of one of its folders, as its list counts them. */
export async function countListed({ key }: Target, query: Record<string, string> = {}): Promise<number> {
  const answer = await call(list, { headers: { 'X-API-Key': key }, query: { limit: '1', ...query } });
  return (answer.json() as { totalCount: number }).totalCount;
}

/** What the lists of a target are wrong by, each by itself. */
export async function miscounted(target: Target): Promise<number> {
  const total = [...target.made.values()].reduce((sum, count) => sum + count, 0);
  const lists: readonly (readonly [Record<string, string>, number])[] = [
    [{}, total],
    [{ status: 'Pending' }, total],
    ...[...target.made].flatMap(([folderId, count]) => (folderId ? [[{ folderId }, count] as const] : [])),
  ];
  const wrong = lists.map(async ([query, count]) => Math.abs((await countListed(target, query)) - count));
  return (await Promise.all(wrong)).reduce((sum, difference) => sum + difference, 0);
}
