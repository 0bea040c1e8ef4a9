import { createHash } from 'node:crypto';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { fileKey, type Item, type ItemFile, type ItemId } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import { renderItem } from '../../items/domain/render-item.ts';
import type { XmlFile } from '../../items/domain/xml-files.ts';
import { type Change, type CommitPart, commitChanges, creatingItem, type NewItem } from './change-item.ts';
import { taskMessage } from './tasks.ts';

type CreateRequest<Data extends object> = Omit<NewItem<Data>, 'files'> & {
  readonly xml: readonly XmlFile[];
  /** Further writes of the same commit. */
  readonly also?: readonly Write[];
  /** When its files go to their signers, where that is not at once. */
  readonly handOverAtMs?: number | undefined;
};

// The files are in the bucket before the item is: an item never names a file that is not there. A process that is killed
// between the two leaves files that no item names, under an id that nobody knows.

/**
 * A new item with its files in the bucket, for a commit. The files go to their signers once it is committed, or in the
 * state that their kind says.
 */
export async function preparingItem<Data extends object>(
  { xml, also = [], handOverAtMs, ...request }: CreateRequest<Data>,
  nowMs: number,
): Promise<Change<Data>> {
  const stored = await Promise.all(xml.map((file) => storeFile(request, file)));
  const { after, writes } = await creatingItem<Data>({ ...request, files: stored }, nowMs);
  const isHandedOver = after.state === KINDS[request.kind].handedOverIn && stored.length > 0;
  const handOver = isHandedOver ? [taskMessage('handOver', after, handOverAtMs)] : [];
  return { after, writes: [...writes, ...handOver, ...also] };
}

/** Creates an item. */
export async function createItem<Data extends object>(
  request: CreateRequest<Data>,
  nowMs: number,
): Promise<Stored<Item<Data>>> {
  return commitCreated(await preparingItem(request, nowMs));
}

/** Commits a new item with what belongs to it, and with the answer that its request gets if it is sent again. */
export async function commitCreated<Data extends object>(
  created: Change<Data>,
  others: readonly CommitPart[] = [],
): Promise<Stored<Item<Data>>> {
  // A new item has no links yet.
  await commitChanges([created, ...others], await keepingAnswer(renderItem(created.after, 'hidden')));
  return created.after;
}

/** Puts a file of an item into the bucket. @example const diploma = await storeFile(request, xml); */
export async function storeFile(item: ItemId, { name, bytes }: XmlFile): Promise<ItemFile> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await files('credentials').put(fileKey(item, { name, sha256 }), bytes, { contentType: 'application/xml' });
  return { name, sha256, length: bytes.length, document: null, signed: null, problem: null };
}
