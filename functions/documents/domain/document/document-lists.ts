import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { DocumentFilter } from '../../contract/documents.ts';
import type { Document, DocumentState } from './document.ts';

// The lists by status that hold a document in this state. A document in its final processing counts as pending.
const FILTERS: Readonly<Record<DocumentState, readonly DocumentFilter[]>> = {
  Pending: ['Pending', 'PendingOrRefused'],
  FlowConcluded: ['Pending', 'PendingOrRefused'],
  Refused: ['Refused', 'PendingOrRefused'],
  Concluded: ['Concluded'],
  Canceled: ['Canceled', 'CanceledOrExpired'],
  Expired: ['Expired', 'CanceledOrExpired'],
};

/** The contents of a list: the documents of an organization or of a folder, all or by status. */
export type ListScope =
  | { readonly organizationId: string; readonly filter?: DocumentFilter | undefined }
  | { readonly folderId: string; readonly filter?: DocumentFilter | undefined };

const nameOf = (scope: ListScope): string =>
  `documents/${'folderId' in scope ? `folder/${scope.folderId}` : `organization/${scope.organizationId}`}/${scope.filter ?? 'All'}`;

/** One list of document ids, newest first. @example await documentList({ folderId }).slice({ offset: 0, limit: 50 }) */
export const documentList = (scope: ListScope) => numberedList({ service: 'documents', name: nameOf(scope) });

type ListedDocument = Pick<Document, 'id' | 'organizationId' | 'folderId' | 'state' | 'createdAtMs'>;

function listsOf({ organizationId, folderId, state }: ListedDocument): Map<string, ListScope> {
  const filters = [undefined, ...FILTERS[state]];
  const scopes = filters.flatMap((filter): ListScope[] => [
    { organizationId, filter },
    ...(folderId === null ? [] : [{ folderId, filter }]),
  ]);
  return new Map(scopes.map((scope) => [nameOf(scope), scope]));
}

/** The writes that keep every list right when a document is created (no before), changed or deleted (no after). */
export function listing(before: ListedDocument | undefined, after: ListedDocument | undefined): Write[] {
  const from: ReadonlyMap<string, ListScope> = before ? listsOf(before) : new Map();
  const to: ReadonlyMap<string, ListScope> = after ? listsOf(after) : new Map();
  const left = [...from].filter(([name]) => !to.has(name)).map(([, scope]) => scope);
  const joined = [...to].filter(([name]) => !from.has(name)).map(([, scope]) => scope);
  return [
    ...left.flatMap((scope) => (before ? documentList(scope).removing(before.id, before.createdAtMs) : [])),
    ...joined.flatMap((scope) => (after ? documentList(scope).adding(after.id, after.createdAtMs) : [])),
  ];
}
