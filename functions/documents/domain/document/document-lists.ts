import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { DocumentFilter } from '../../contract/documents.ts';
import type { Document, DocumentState } from './document.ts';
import { factsOf, type SearchedField } from './searched-facts.ts';

// The view by status that holds a document in this state. A document in its final processing counts as pending.
const VIEWS = {
  Pending: 'Pending',
  FlowConcluded: 'Pending',
  Refused: 'Refused',
  Concluded: 'Concluded',
  Canceled: 'Canceled',
  Expired: 'Expired',
} as const satisfies Record<DocumentState, DocumentFilter>;

// A filter for several states reads several views.
const VIEWS_OF_FILTER: Partial<Record<DocumentFilter, readonly DocumentFilter[]>> = {
  PendingOrRefused: ['Pending', 'Refused'],
  CanceledOrExpired: ['Canceled', 'Expired'],
};

/** Whether a document is in the views of a filter. */
export const hasStatus = ({ state }: Pick<Document, 'state'>, filter: DocumentFilter | undefined): boolean =>
  filter === undefined || (VIEWS_OF_FILTER[filter] ?? [filter]).includes(VIEWS[state]);

type ListOwner = { readonly organizationId: string } | { readonly folderId: string };

/** The contents of a list: the documents of an organization or of a folder, all or by status. */
export type ListScope = ListOwner & { readonly filter?: DocumentFilter | undefined };

/** One list of document ids, newest first. @example await documentList({ folderId }).slice({ offset: 0, limit: 50 }) */
export const documentList = ({ filter, ...owner }: ListScope) =>
  numberedList({
    service: 'documents',
    name: `documents/${'folderId' in owner ? `folder/${owner.folderId}` : `organization/${owner.organizationId}`}`,
    views: filter && (VIEWS_OF_FILTER[filter] ?? [filter]),
  });

type ListedDocument = Pick<
  Document,
  'id' | 'organizationId' | 'folderId' | 'state' | 'createdAtMs' | SearchedField
>;

const entryOf = (document: ListedDocument): Entry => ({
  id: document.id,
  atMs: document.createdAtMs,
  views: [VIEWS[document.state]],
  facts: factsOf(document),
});

const listsOf = ({ organizationId, folderId }: ListedDocument): ListOwner[] => [
  { organizationId },
  ...(folderId === null ? [] : [{ folderId }]),
];

/** The writes that keep every list right when a document is created (no before), changed or deleted (no after). */
export function listing(before: ListedDocument | undefined, after: ListedDocument | undefined): Write[] {
  const owners = [before, after].flatMap((document) => (document ? listsOf(document) : []));
  const distinct = new Map(owners.map((owner) => [JSON.stringify(owner), owner]));
  return [...distinct].flatMap(([id, owner]) => {
    const entryIn = (document: ListedDocument | undefined): Entry | undefined =>
      document && listsOf(document).some((each) => JSON.stringify(each) === id)
        ? entryOf(document)
        : undefined;
    return documentList(owner).changing(entryIn(before), entryIn(after));
  });
}
