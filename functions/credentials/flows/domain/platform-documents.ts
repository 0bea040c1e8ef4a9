import { collection } from '../../../../shared/store/collection.ts';
import type { Leased } from '../../../../shared/store/lease.ts';
import type { Item, ItemFile, ItemId } from '../../items/domain/item.ts';

/** Which item a document of the platform is of, until its signed file is taken. */
export const documentOwners = collection<ItemId & { readonly documentId: string }, string>({
  service: 'credentials',
  name: 'document',
  id: ({ documentId }) => documentId,
  key: (documentId) => ({ pk: `DOCUMENT#${documentId}`, sk: 'DOCUMENT' }),
});

/**
 * A hand-over that has begun and not ended: documents may exist at the platform that the item does not name. One worker
 * at a time makes it.
 */
export type HandOver = ItemId &
  Leased & {
    /** The uploads of the files by their names. The platform creates one document of an upload, and no second one. */
    readonly uploads: Readonly<Record<string, string>>;
  };

export const handOvers = collection<HandOver, ItemId>({
  service: 'credentials',
  name: 'hand-over',
  id: ({ kind, id }) => ({ kind, id }),
  key: ({ kind, id }) => ({ pk: `ITEM#${kind}#${id}`, sk: 'HAND-OVER' }),
});

// The platform is called for BUDGET_MS at most, so nobody else creates a document while a stalled worker still may.
export const BUDGET_MS = 60_000;
export const LEASE_SECONDS = 90;

/** The name of the file at the platform, by which it is searched for as well. */
export const documentNameOf = ({ id }: ItemId, { name }: ItemFile): string => `${name}-${id}.xml`;

/**
 * The document of a file is found by its tag, where one was created and its id lost with the process. One that was
 * recorded is of an earlier hand-over, and came to nothing.
 */
export const searchOf = (item: Item, file: ItemFile) => ({
  tag: { label: 'credential-file', value: `${item.kind}:${item.id}:${file.name}` },
  text: documentNameOf(item, file),
  begunAtMs: item.createdAtMs,
  unknownOf,
});

async function unknownOf(documentIds: readonly string[]): Promise<readonly string[]> {
  const recorded = new Set((await documentOwners.getMany(documentIds)).map(({ documentId }) => documentId));
  return documentIds.filter((id) => !recorded.has(id));
}
