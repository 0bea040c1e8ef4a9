import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { Document, DocumentState } from './document.ts';

export const DOCUMENT_FILTERS = [
  'PendingOrRefused',
  'Concluded',
  'CanceledOrExpired',
  'Pending',
  'Refused',
  'Canceled',
  'Expired',
] as const;
export type DocumentFilter = (typeof DOCUMENT_FILTERS)[number];

// The lists by status that a document in this state stands in. To its owner, a flow in its last processing is pending.
const FILTERS: Readonly<Record<DocumentState, readonly DocumentFilter[]>> = {
  Pending: ['Pending', 'PendingOrRefused'],
  FlowConcluded: ['Pending', 'PendingOrRefused'],
  Refused: ['Refused', 'PendingOrRefused'],
  Concluded: ['Concluded'],
  Canceled: ['Canceled', 'CanceledOrExpired'],
  Expired: ['Expired', 'CanceledOrExpired'],
};

/** What a list holds: the documents of an organization or of a folder, all or by status. */
export type ListScope =
  | { readonly organizationId: string; readonly filter?: DocumentFilter | undefined }
  | { readonly folderId: string; readonly filter?: DocumentFilter | undefined };

const nameOf = (scope: ListScope): string =>
  `documents/${'folderId' in scope ? `folder/${scope.folderId}` : `organization/${scope.organizationId}`}/${scope.filter ?? 'All'}`;

/** One list of document ids, newest first. @example await documentList({ folderId }).slice({ offset: 0, limit: 50 }) */
export const documentList = (scope: ListScope) => numberedList({ service: 'documents', name: nameOf(scope) });

type Listed = Pick<Document, 'id' | 'organizationId' | 'folderId' | 'state' | 'createdAtMs'>;

function listsOf({ organizationId, folderId, state }: Listed): Map<string, ListScope> {
  const filters = [undefined, ...FILTERS[state]];
  const scopes = filters.flatMap((filter): ListScope[] => [
    { organizationId, filter },
    ...(folderId === null ? [] : [{ folderId, filter }]),
  ]);
  return new Map(scopes.map((scope) => [nameOf(scope), scope]));
}

/** The writes that keep every list right when a document appears (no before), changes or goes (no after). */
export function listing(before: Listed | undefined, after: Listed | undefined): Write[] {
  const from: ReadonlyMap<string, ListScope> = before ? listsOf(before) : new Map();
  const to: ReadonlyMap<string, ListScope> = after ? listsOf(after) : new Map();
  const left = [...from].filter(([name]) => !to.has(name)).map(([, scope]) => scope);
  const joined = [...to].filter(([name]) => !from.has(name)).map(([, scope]) => scope);
  return [
    ...left.flatMap((scope) => (before ? documentList(scope).removing(before.id, before.createdAtMs) : [])),
    ...joined.flatMap((scope) => (after ? documentList(scope).adding(after.id, after.createdAtMs) : [])),
  ];
}
