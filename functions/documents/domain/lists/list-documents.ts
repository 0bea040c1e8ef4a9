import type { Caller } from '../../../../shared/access/caller.ts';
import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import type { DocumentFilter } from '../../contract/documents.ts';
import { type Document, documentItems } from '../document/document.ts';
import { documentList, type ListScope, searchedTexts } from '../document/document-lists.ts';
import { documentStates } from '../document/document-states.ts';
import { locateAll } from '../document/location.ts';
import { kindOf, openAssignments } from '../flow/flow.ts';
import { findFolder, openFolderIds } from '../places/folder.ts';
import { findOrganization, homeOrganizationOf } from '../places/organization.ts';
import { type ListPage, listPage, type PageRequest } from './list-page.ts';
import { renderListItem } from './render-document.ts';

export type ListDocumentsRequest = PageRequest & {
  readonly organizationId?: string | undefined;
  readonly folderId?: string | undefined;
  readonly status?: DocumentFilter | undefined;
  readonly isConcluded?: boolean | undefined;
  readonly filterByPendingSignature?: boolean | undefined;
  readonly q?: string | undefined;
};

/** Lists the documents of an organization or of a folder. */
export async function listDocuments(
  caller: Caller,
  request: ListDocumentsRequest,
  nowMs: number,
): Promise<ListPage<ReturnType<typeof renderListItem>>> {
  const list = documentList(await scopeOf(caller, request));
  const page = await listPage({ list, read: documentItems.getMany, ...filterOf(request) }, request);
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

/** The filter on documents, and on entries as far as their facts tell. None when every document is asked for. */
function filterOf({ q, status, isConcluded, filterByPendingSignature }: ListDocumentsRequest) {
  // `isConcluded` beside a contradicting `status` still applies: an extra filter never makes a list longer.
  const checksConcluded = status !== undefined && isConcluded !== undefined;
  const checksDocument = filterByPendingSignature || checksConcluded;
  if (q === undefined && !checksDocument) return {};
  return {
    matches: (document: Document): boolean =>
      (!filterByPendingSignature || awaitsSignature(document)) &&
      (!checksConcluded || (document.state === 'Concluded') === isConcluded) &&
      (q === undefined || containsText(q, searchedTexts(document))),
    entryMatches(entry: Parameters<typeof entryContainsText>[1]): boolean | undefined {
      const hasText = q === undefined || entryContainsText(q, entry);
      return hasText && checksDocument ? undefined : hasText;
    },
  };
}

const awaitsSignature = ({ state, flow }: Document): boolean =>
  documentStates.accepts(state, 'acted') &&
  openAssignments(flow).some(({ action }) => kindOf(action) === 'signature');
