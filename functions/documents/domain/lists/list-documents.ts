import type { Caller } from '../../../../shared/access/caller.ts';
import { type Document, documentItems } from '../document/document.ts';
import { type DocumentFilter, documentList, type ListScope } from '../document/document-lists.ts';
import { surroundingsOfAll } from '../document/location.ts';
import { awaited, kindOf } from '../flow/flow.ts';
import { findFolder, openFolders } from '../places/folder.ts';
import { findOrganization, homeOrganization } from '../places/organization.ts';
import { type Asked, holds, type Listed, listPage } from './list-page.ts';
import { shownInList } from './render-document.ts';

export type Wanted = Asked & {
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
  wanted: Wanted,
  caller: Caller,
): Promise<Listed<ReturnType<typeof shownInList>>> {
  const list = documentList(await scopeOf(wanted, caller));
  const page = await listPage({ list, read: documentItems.getMany, matches: matching(wanted) }, wanted);
  const where = await surroundingsOfAll(page.items);
  // Documents below a deleted folder are on the organization's list until its task has come to them.
  const inFolders = new Set(page.items.flatMap((document) => where(document).folder ?? []));
  const open = await openFolders([...inFolders]);
  const items = page.items.filter(({ folderId }) => folderId === null || open.has(folderId));
  return { ...page, items: items.map((document) => shownInList(document, where(document))) };
}

async function scopeOf(wanted: Wanted, caller: Caller): Promise<ListScope> {
  const filter = wanted.status ?? impliedStatus(wanted);
  if (wanted.folderId !== undefined)
    return { folderId: (await findFolder(wanted.folderId, caller)).id, filter };
  const organizationId = wanted.organizationId ?? homeOrganization(caller);
  return { organizationId: (await findOrganization(organizationId, caller)).id, filter };
}

function impliedStatus({ isConcluded, filterByPendingSignature }: Wanted): DocumentFilter | undefined {
  if (isConcluded !== undefined) return isConcluded ? 'Concluded' : 'Pending';
  // Only a pending document waits for a signature, so others need not be looked at.
  return filterByPendingSignature ? 'Pending' : undefined;
}

function matching({ q, status, isConcluded, filterByPendingSignature }: Wanted): Matches | undefined {
  // Beside a status that says otherwise it still counts: no filter makes a list longer.
  const checksConcluded = status !== undefined && isConcluded !== undefined;
  if (q === undefined && !filterByPendingSignature && !checksConcluded) return undefined;
  return (document) =>
    (!filterByPendingSignature || waitsForSignature(document)) &&
    (!checksConcluded || (document.state === 'Concluded') === isConcluded) &&
    (q === undefined || holds(q, textsOf(document)));
}

const waitsForSignature = ({ state, flow }: Document): boolean =>
  state === 'Pending' && awaited(flow).some(({ action }) => kindOf(action) === 'signature');

/** What a document is found by: its names, and those who take part. */
const textsOf = ({ name, original, flow }: Document): (string | null)[] => [
  name,
  original.name,
  ...flow.flatMap(({ people }) =>
    people.flatMap((person) => [person.name, person.identifier, person.emailAddress]),
  ),
];
