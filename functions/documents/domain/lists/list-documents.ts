import type { Caller } from '../../../../shared/access/caller.ts';
import type { DocumentFilter, DocumentsFilter } from '../../contract/documents.ts';
import { type Document, documentItems } from '../document/document.ts';
import { documentList, hasStatus, type ListScope } from '../document/document-lists.ts';
import { locateAll } from '../document/location.ts';
import { documentIdOfCode, parseCode } from '../document/verification-code.ts';
import { findFolder, openFolderIds } from '../places/folder.ts';
import { findOrganization, homeOrganizationOf, isInScope } from '../places/organization.ts';
import { filterOf } from './document-filter.ts';
import { type ListPage, listPage, type PageRequest } from './list-page.ts';
import { renderListItem } from './render-document.ts';
import { placesOf } from './search-places.ts';

export type ListDocumentsRequest = PageRequest & DocumentsFilter;

/** Lists the documents of an organization or of a folder. */
export async function listDocuments(
  caller: Caller,
  request: ListDocumentsRequest,
  nowMs: number,
): Promise<ListPage<ReturnType<typeof renderListItem>>> {
  const scope = await scopeOf(caller, request);
  const page = (await isEmpty(caller, scope, request))
    ? NOTHING
    : ((await readOne(caller, scope, request)) ??
      (await listPage(
        {
          list: documentList(scope),
          read: documentItems.getMany,
          ...filterOf(request),
          places: placesOf([caller.application, scope, { ...request, offset: 0 }], nowMs),
        },
        request,
      )));
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
  waitingFor,
}: ListDocumentsRequest): DocumentFilter | undefined {
  if (isConcluded !== undefined) return isConcluded ? 'Concluded' : 'Pending';
  // Only pending documents await anybody, so other lists need not be read.
  return filterByPendingSignature || waitingFor ? 'Pending' : undefined;
}

const NOTHING: ListPage<Document> = { items: [], totalCount: 0, nextCursor: null };

/** Whether the request asks for documents that there are none of here, whatever else it asks for. */
async function isEmpty(caller: Caller, scope: ListScope, request: ListDocumentsRequest): Promise<boolean> {
  const { isDeleted, documentType, filterByDocumentType, organizationType = 'Normal' } = request;
  // A deleted document does not exist any more, and kinds of documents are not told apart.
  if (isDeleted || (documentType !== undefined && filterByDocumentType !== false)) return true;
  if (organizationType === 'Normal') return false;
  // An application is nobody's guest, and has the organizations of its key alone.
  if (organizationType === 'SharedWithMe' || !('organizationId' in scope)) return true;
  return (await findOrganization(caller, scope.organizationId)).identifier !== null;
}

/** The document that `q` names by its id or by its code, if it is of this list; undefined where `q` names none. */
async function readOne(
  caller: Caller,
  scope: ListScope,
  request: ListDocumentsRequest,
): Promise<ListPage<Document> | undefined> {
  const { q, queryType, status, offset } = request;
  if (!q || (queryType !== 'Id' && queryType !== 'Key')) return undefined;
  const code = parseCode(q);
  const id = queryType === 'Id' ? q.toLowerCase() : code && documentIdOfCode(code);
  const found = id ? await documentItems.get(id) : undefined;
  const isListed = (document: Document): boolean =>
    isInScope(caller, document.organizationId) &&
    ('folderId' in scope
      ? document.folderId === scope.folderId
      : document.organizationId === scope.organizationId) &&
    hasStatus(document, status ?? impliedStatus(request)) &&
    (filterOf(request).matches?.(document) ?? true);
  return found && isListed(found) && offset === 0 ? { ...NOTHING, items: [found], totalCount: 1 } : NOTHING;
}

/** The number of documents in each status, of the caller's organization or of a folder, in one read. */
export async function countDocuments(
  caller: Caller,
  folderId: string | undefined,
): Promise<(filter: DocumentFilter) => number> {
  const owner =
    folderId === undefined
      ? { organizationId: homeOrganizationOf(caller) }
      : { folderId: (await findFolder(caller, folderId)).id };
  const { views } = await documentList(owner).count();
  return (filter) => views.get(filter) ?? 0;
}
