import type { Caller } from '../../../../shared/access/caller.ts';
import { type Document, documentItems } from '../document/document.ts';
import { type DocumentFilter, documentList, type ListScope } from '../document/document-lists.ts';
import { locateAll } from '../document/location.ts';
import { kindOf, openAssignments } from '../flow/flow.ts';
import { findFolder, openFolderIds } from '../places/folder.ts';
import { findOrganization, homeOrganizationOf } from '../places/organization.ts';
import { holds, type ListPage, listPage, type PageRequest } from './list-page.ts';
import { renderListItem } from './render-document.ts';

export type ListDocumentsRequest = PageRequest & {
  readonly organizationId?: string | undefined;
  readonly folderId?: string | undefined;
  readonly status?: DocumentFilter | undefined;
  readonly isConcluded?: boolean | undefined;
  readonly filterByPendingSignature?: boolean | undefined;
  readonly q?: string | undefined;
};

type Matches = (document: Document) => boolean;

/** The documents of an organization or of a folder, as lists show them. */
export async function listDocuments(
  wanted: ListDocumentsRequest,
  caller: Caller,
): Promise<ListPage<ReturnType<typeof renderListItem>>> {
  const list = documentList(await scopeOf(wanted, caller));
  const page = await listPage({ list, read: documentItems.getMany, matches: matcherOf(wanted) }, wanted);
  const where = await locateAll(page.items);
  // Documents below a deleted folder are on the organization's list until its task has come to them.
  const inFolders = new Set(page.items.flatMap((document) => where(document).folder ?? []));
  const open = await openFolderIds([...inFolders]);
  const items = page.items.filter(({ folderId }) => folderId === null || open.has(folderId));
  return { ...page, items: items.map((document) => renderListItem(document, where(document))) };
}

async function scopeOf(wanted: ListDocumentsRequest, caller: Caller): Promise<ListScope> {
  const filter = wanted.status ?? impliedStatus(wanted);
  if (wanted.folderId !== undefined)
    return { folderId: (await findFolder(wanted.folderId, caller)).id, filter };
  const organizationId = wanted.organizationId ?? homeOrganizationOf(caller);
  return { organizationId: (await findOrganization(organizationId, caller)).id, filter };
}

function impliedStatus({
  isConcluded,
  filterByPendingSignature,
}: ListDocumentsRequest): DocumentFilter | undefined {
  if (isConcluded !== undefined) return isConcluded ? 'Concluded' : 'Pending';
  // Only a pending document waits for a signature, so others need not be looked at.
  return filterByPendingSignature ? 'Pending' : undefined;
}

function matcherOf({
  q,
  status,
  isConcluded,
  filterByPendingSignature,
}: ListDocumentsRequest): Matches | undefined {
  // Beside a status that says otherwise it still counts: no filter makes a list longer.
  const checksConcluded = status !== undefined && isConcluded !== undefined;
  if (q === undefined && !filterByPendingSignature && !checksConcluded) return undefined;
  return (document) =>
    (!filterByPendingSignature || waitsForSignature(document)) &&
    (!checksConcluded || (document.state === 'Concluded') === isConcluded) &&
    (q === undefined || holds(q, textsOf(document)));
}

const waitsForSignature = ({ state, flow }: Document): boolean =>
  state === 'Pending' && openAssignments(flow).some(({ action }) => kindOf(action) === 'signature');

/** What a document is found by: its names, and those who take part. */
const textsOf = ({ name, original, flow }: Document): (string | null)[] => [
  name,
  original.name,
  ...flow.flatMap(({ people }) =>
    people.flatMap((person) => [person.name, person.identifier, person.emailAddress]),
  ),
];
