import type { Said } from '../../../../shared/errors/said.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import type { KindName } from './kinds.ts';

export type SignedCopy = {
  readonly sha256: string;
  readonly length: number;
  /** When it was taken. */
  readonly atMs: number;
  /** Whether all its certificates were found valid then. Once one has expired, its revocation cannot be learned any more. */
  readonly wasJudgedValid?: boolean;
};

/** A person who was asked to sign a file. */
export type SigningPerson = {
  readonly name: string;
  readonly cpf: string;
  readonly step: number;
  /** In the words of the platform: Created (an earlier step is not finished), Pending, Completed, Refused. */
  readonly status: string;
  /** Where they sign, from the time on at which it is their turn. */
  readonly url: string | null;
  /** When the link was made. Left out by documents of earlier versions. */
  readonly urlAtMs?: number | null | undefined;
};

/** One XML file of an item, from its writing to its signed copy. */
export type ItemFile = {
  readonly name: string;
  readonly sha256: string;
  readonly length: number;
  /** The document as which it is signed at the document-signature platform. Null until it is handed over. */
  readonly document: {
    readonly id: string;
    readonly url: string | null;
    /** Those who were asked to sign it: the institute may name others by now. */
    readonly cpfs: readonly string[];
    /** The same people and how far they are, as the last look found them. Left out by documents of earlier versions. */
    readonly people?: readonly SigningPerson[];
  } | null;
  /** The signed copy, downloaded and verified. */
  readonly signed: SignedCopy | null;
  /** Why a signed copy was not taken: it does not verify, or a signer is missing. */
  readonly problem: string | null;
  /** The same in any language. Left out by problems of earlier versions. */
  readonly said?: Said;
};

/** What people search an item by. */
type Searchable = { readonly text: string; readonly course: string | null };

/** A credential or a file about credentials. `Data` is what its kind knows beyond the common part. */
export type Item<Data extends object = object> = {
  readonly kind: KindName;
  readonly id: string;
  readonly organizationId: string;
  /** The institute that it is of. */
  readonly instituteId: string;
  readonly state: string;
  /** The latest event of each family of webhook types: what a webhook tells is this, and not the state. */
  readonly lastEvents: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly reason: string | null;
  readonly cancellationReason: string | null;
  readonly searchable: Searchable;
  /** Whether its list shows it among those with problems. Left out by items of earlier versions. */
  readonly hasProblem?: boolean;
  /** Who created it: the name of a person or of an application. Left out by items of earlier versions. */
  readonly createdBy?: string;
  readonly files: readonly ItemFile[];
  /** What its data tells in English of a failure, in any language. Left out by items of earlier versions. */
  readonly failure?: Said;
  readonly data: Data;
};

export type ItemId = Pick<Item, 'kind' | 'id'>;

/** The items of all kinds. */
export const items = collection<Item, ItemId>({
  service: 'credentials',
  name: 'item',
  id: ({ kind, id }) => ({ kind, id }),
  key: ({ kind, id }) => ({ pk: `ITEM#${kind}#${id}`, sk: 'ITEM' }),
});

/** Those of one kind. @example const degree = await requireItem<DegreeData>('degree', id, isVisible); */
export async function requireItem<Data extends object>(
  kind: KindName,
  id: string,
  isVisible: (item: Item) => boolean,
): Promise<Stored<Item<Data>>> {
  const found = await items.get({ kind, id });
  // An item of another organization is told from one that does not exist by nobody.
  if (!found || !isVisible(found))
    throw errors.refuse('ItemNotFound', { resourceName: kind, resourceId: id });
  return found as Stored<Item<Data>>;
}

// Two requests may bring different files for one item. Two runs of one line of a batch create the same id, each with a
// verification code of its own in its file:
//
//   run 1  |--file with code a--|--item: code a, SHA-256 of that file--|
//   run 2      |--file with code b-----------------------------------------|--item: refused, AlreadyExists
//
// By its content each file has its own key, so the file that an item names is never replaced. The same goes for signed
// files: a platform may render one anew for each of two looks, and only the first is recorded.

/** The keys of a file in the bucket: as it was written, and as it was signed. */
export const fileKey = ({ kind, id }: ItemId, { name, sha256 }: Pick<ItemFile, 'name' | 'sha256'>): string =>
  `${kind}/${id}/${name}-${sha256}.xml`;
export const signedKey = (
  { kind, id }: ItemId,
  name: string,
  { sha256 }: Pick<SignedCopy, 'sha256'>,
): string => `${kind}/${id}/${name}-${sha256}.signed.xml`;
