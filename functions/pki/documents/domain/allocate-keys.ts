import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { commit, ITEMS_PER_TRANSACTION } from '../../../../shared/store/commit.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { UnusedKeysQuery } from '../contract.ts';
import { documents } from './document.ts';
import {
  ANY_PAIR,
  creatingKey,
  documentKeys,
  formatKey,
  type Metadata,
  normalizeKey,
  pairOf,
  unusedKeys,
  unusedPartition,
} from './document-keys.ts';
import { documentModel } from './document-model.ts';

const keyModel = (key: string) => ({ key, formattedKey: formatKey(key) });

/** Gives out keys for documents to come. A key that exists is not given again: another is made. */
export async function allocateKeys(
  caller: Caller,
  { count, provisionalMetadata }: { readonly count: number; readonly provisionalMetadata: Metadata | null },
) {
  const keys: string[] = [];
  while (keys.length < count)
    keys.push(...(await allocateSome(caller, count - keys.length, provisionalMetadata)));
  return keys.map(keyModel);
}

/** As many as one transaction takes, all or none. */
const allocateSome = (caller: Caller, count: number, metadata: Metadata | null): Promise<string[]> =>
  retryOnConflict(
    async () => {
      const keys: string[] = [];
      const writes: Write[] = [];
      while (keys.length < count) {
        const made = creatingKey(caller, metadata);
        if (writes.length + made.writes.length > ITEMS_PER_TRANSACTION) break;
        keys.push(made.key);
        writes.push(...made.writes);
      }
      await commit(writes);
      return keys;
    },
    { mayCreate: true },
  );

/** The key, and its document where it has one that can be fetched. */
export async function readKey({ application }: Caller, text: string, nowMs: number) {
  const key = normalizeKey(text);
  const found = await documentKeys.get(key);
  if (found?.application !== application || (found.keptUntilMs ?? Number.POSITIVE_INFINITY) <= nowMs)
    return { ...NOT_FOUND, formattedKey: formatKey(key) };
  const document = found.documentId === null ? undefined : await documents.get(found.documentId);
  return {
    found: true,
    formattedKey: formatKey(key),
    hasDocument: document !== undefined,
    provisionalMetadata: found.provisionalMetadata,
    document: document ? await documentModel(document) : null,
  };
}

const NOT_FOUND = { found: false, hasDocument: false, provisionalMetadata: null, document: null } as const;

// A list without pages.
const MAX_LISTED = 1_000;

/** The keys that wait for their document; with a name and a value, those that have it in their metadata. */
export async function unusedKeysBy(
  { application }: Caller,
  { metadataName, metadataValue = '' }: z.output<typeof UnusedKeysQuery>,
) {
  const pair = metadataName ? pairOf(metadataName, metadataValue) : ANY_PAIR;
  const pk = unusedPartition(application, pair);
  const found = await firstItems(unusedKeys, { pk }, MAX_LISTED);
  return found.map(({ key }) => keyModel(key));
}
