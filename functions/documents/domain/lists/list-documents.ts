import type { Caller } from '../../../../shared/access/caller.ts';
import type { DocumentFilter } from '../../contract/documents.ts';
import { type Document, documentItems } from '../document/document.ts';
import { documentList, type ListScope } from '../document/document-lists.ts';
import { documentStates } from '../document/document-states.ts';
import { locateAll } from '../document/location.ts';
import { kindOf, openAssignments } from '../flow/flow.ts';
import { findFolder, openFolderIds } from '../places/folder.ts';
import { findOrganization, homeOrganizationOf } from '../places/organization.ts';
import { containsText, type ListPage, listPage, type PageRequest } from './list-page.ts';
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

/** Lists the documents of an organization or of a folder. */
export async function listDocuments(
  caller: Caller,
  request: ListDocumentsRequest,
  nowMs: number,
): Promise<ListPage<ReturnType<typeof renderListItem>>> {
  const list = documentList(await scopeOf(caller, request));
  const page = await listPage({ list, read: documentItems.getMany, matches: matcherOf(request) }, request);
  const locationOf = await locateAll(page.items);
  // Documents below a deleted folder stay on the organization's list until the folder's task deletes them.
  const inFolders = new Set(page.items.flatMap((document) => locationOf(document).folder ?? []));
  const open = await openFolderIds([...inFolders]);
  const items = page.items.filter(({ folderId }) => folderId === null || open.has(folderId));
  return { ...page, items: items.map((document) => renderListItem(document, locationOf(document), nowMs)) };
}

async function scopeOf(caller: Caller, request: ListDocumentsRequest): Promise<ListScope> {
  const filter = request.status ?? impliedStatus(request);
  if (request.folderId !== undefined)
    return { folderId: (await findFolder(caller, request.folderId)).id, filter };
  const organizationId = request.organizationId ?? homeOrganizationOf(caller);
  return { organizationId: (await findOrganization(caller, organizationId)).id, filter };
}

function impliedStatus({
  isConcluded,
  filterByPendingSignature,
}: ListDocumentsRequest): DocumentFilter | undefined {
  if (isConcluded !== undefined) return isConcluded ? 'Concluded' : 'Pending';
  // Only pending documents await signatures, so other lists need not be read.
  return filterByPendingSignature ? 'Pending' : undefined;
}

function matcherOf({
  q,
  status,
  isConcluded,
  filterByPendingSignature,
}: ListDocumentsRequest): Matches | undefined {
  // `isConcluded` beside a contradicting `status` still applies: an extra filter never makes a list longer.
  const checksConcluded = status !== undefined && isConcluded !== undefined;
  if (q === undefined && !filterByPendingSignature && !checksConcluded) return undefined;
  return (document) =>
    (!filterByPendingSignature || awaitsSignature(document)) &&
    (!checksConcluded || (document.state === 'Concluded') === isConcluded) &&
    (q === undefined || containsText(q, textsOf(document)));
}

const awaitsSignature = ({ state, flow }: Document): boolean =>
  documentStates.accepts(state, 'acted') &&
  openAssignments(flow).some(({ action }) => kindOf(action) === 'signature');

/** The texts that a search looks at: the names of the document, and its participants. */
const textsOf = ({ name, original, flow }: Document): (string | null)[] => [
  name,
  original.name,
  ...flow.flatMap(({ people }) =>
    people.flatMap((person) => [person.name, person.identifier, person.emailAddress]),
  ),
];
