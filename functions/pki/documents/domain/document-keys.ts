import { createHash, randomInt } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';

export type Metadata = Readonly<Record<string, readonly string[]>>;

/** A key by which people name a document, printed on it before or after it is signed. */
export type DocumentKey = {
  readonly key: string;
  readonly application: string;
  readonly provisionalMetadata: Metadata | null;
  /** Null while it waits for its document. */
  readonly documentId: string | null;
  /** An unused key has no end. */
  readonly keptUntilMs: number | null;
};

export const documentKeys = collection<DocumentKey, string>({
  service: 'pki',
  name: 'document key',
  id: ({ key }) => key,
  key: (key) => ({ pk: `DOCUMENT-KEY#${key}`, sk: 'DOCUMENT-KEY' }),
  indexed: ({ keptUntilMs }) => (keptUntilMs === null ? {} : { ttl: Math.ceil(keptUntilMs / 1000) }),
});

type Unused = { readonly application: string; readonly pair: string; readonly key: string };

/** The unused keys of an application: all of them, and those with a value in their metadata. */
export const unusedKeys = collection<Unused, Unused>({
  service: 'pki',
  name: 'unused document key',
  id: (unused) => unused,
  key: ({ application, pair, key }) => ({ pk: unusedPartition(application, pair), sk: key }),
});

export const unusedPartition = (application: string, pair: string): string =>
  `UNUSED-DOCUMENT-KEYS#${application}#${pair}`;

/** A name and a value of metadata, which are searched without case. */
export const pairOf = (name: string, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name.toLowerCase(), value.toLowerCase()]))
    .digest('base64url');

// Without letters and digits that look alike on paper: 16 of 32 are 80 bits.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 16;

/** A key that nobody else has: of 80 random bits. */
const newKey = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** @example formatKey('ABCDEFGHJKLMNPQR') // 'ABCD-EFGH-JKLM-NPQR' */
export const formatKey = (key: string): string => key.match(/.{1,4}/g)?.join('-') ?? '';

/** The key that somebody typed: in any case, with or without hyphens. */
export const normalizeKey = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** The entry of every unused key, in the place of a pair of metadata. */
export const ANY_PAIR = '*';

const unusedOf = ({ application, key, provisionalMetadata }: DocumentKey): Unused[] => {
  const pairs = Object.entries(provisionalMetadata ?? {}).flatMap(([name, values]) =>
    values.map((value) => pairOf(name, value)),
  );
  return [...new Set([ANY_PAIR, ...pairs])].map((pair) => ({ application, pair, key }));
};

/** A new key that waits for its document, as a write. A key that exists is refused with AlreadyExists. */
export function creatingKey(
  { application }: Pick<Caller, 'application'>,
  provisionalMetadata: Metadata | null,
): { readonly key: string; readonly writes: readonly Write[] } {
  const item: DocumentKey = {
    ...{ key: newKey(), application, provisionalMetadata },
    ...{ documentId: null, keptUntilMs: null },
  };
  const writes = [documentKeys.creating(item), ...unusedOf(item).map((unused) => unusedKeys.putting(unused))];
  return { key: item.key, writes };
}

/** The choice of a request: the key that it names, or a new one. */
export const chooseKey = (given: string | null | undefined): KeyChoice =>
  given ? { key: normalizeKey(given), isGivenOut: true } : { key: newKey(), isGivenOut: false };

/** The key of this text, of the caller and without a document. */
export async function findUnusedKey(
  { application }: Pick<Caller, 'application'>,
  text: string,
): Promise<Stored<DocumentKey>> {
  const key = normalizeKey(text);
  const found = key === '' ? undefined : await documentKeys.get(key);
  if (found?.application !== application) throw errors.refuse('EntityNotFound', { documentKey: key });
  if (found.documentId !== null) throw errors.refuse('EntityAlreadyExists', { documentKey: key });
  return found;
}

/** How many entries of the index go when the key is used, each a write of that commit. */
export const indexEntriesOf = (key: DocumentKey): number => unusedOf(key).length;

type Owner = { readonly id: string; readonly application: string };

/** Which key a new document gets: one that was given out, or a new one. */
export type KeyChoice = { readonly key: string; readonly isGivenOut: boolean };

/** The key of a new document, as writes. */
export async function keyForDocument(
  { id: documentId, application }: Owner,
  { key, isGivenOut }: KeyChoice,
  keptUntilMs: number,
): Promise<{ readonly key: string; readonly metadata: Metadata; readonly writes: readonly Write[] }> {
  const used = { documentId, keptUntilMs };
  if (!isGivenOut) {
    const item = { key, application, provisionalMetadata: null, ...used };
    return { key, metadata: {}, writes: [documentKeys.creating(item)] };
  }
  const found = await findUnusedKey({ application }, key);
  return {
    key: found.key,
    metadata: found.provisionalMetadata ?? {},
    writes: [
      documentKeys.changing(found, used),
      ...unusedOf(found).map((unused) => unusedKeys.removing(unused)),
    ],
  };
}
