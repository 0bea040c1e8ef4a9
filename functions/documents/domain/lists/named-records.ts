import type { Caller } from '../../../../shared/access/caller.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { isoDate } from '../calendar.ts';
import type { Author } from '../document/document.ts';
import { shownAuthor } from '../document/notifications.ts';
import {
  findOrganization,
  homeOrganizationOf,
  isActiveOrganization,
  isInScope,
  recentOrganization,
} from '../places/organization.ts';
import { type ListPage, listPage, type PageRequest } from './list-page.ts';

/** Something that an organization keeps under a name, for later documents. */
export type NamedRecord = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdBy: Author;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

type Listed = Pick<NamedRecord, 'id' | 'organizationId' | 'createdAtMs' | 'name'>;

type ListRequest = PageRequest & {
  readonly organizationId?: string | undefined;
  readonly q?: string | undefined;
};

type Options<T> = {
  /** In errors of the store. */
  readonly name: string;
  /** In its keys. */
  readonly prefix: string;
  /** In the names of its lists. */
  readonly plural: string;
  readonly notFound: (id: string) => Error;
  /** What goes with a record that is deleted. */
  readonly removingAlong?: (record: T) => readonly Write[];
};

const entryOf = ({ id, createdAtMs, name }: Listed): Entry => ({ id, atMs: createdAtMs, facts: [name] });

/** The named records of one kind: their items, the list of each organization, and how they are found. */
export function namedRecords<T extends NamedRecord>(options: Options<T>) {
  const { name, prefix, plural, notFound, removingAlong = () => [] } = options;
  const items = collection<T, string>({
    service: 'documents',
    name,
    id: ({ id }) => id,
    key: (id) => ({ pk: `${prefix}#${id}`, sk: prefix }),
  });

  /** Those of an organization, by creation time. */
  const listOf = (organizationId: string) =>
    numberedList({ service: 'documents', name: `${plural}/organization/${organizationId}` });

  /** The writes that keep the list right when a record is stored (no before), changed or deleted (no after). */
  const listing = (before: Listed | undefined, after: Listed | undefined) =>
    listOf(before?.organizationId ?? after?.organizationId ?? '').changing(
      before && entryOf(before),
      after && entryOf(after),
    );

  const remove = (record: Stored<T>): Promise<void> =>
    items.delete(record, { also: [...listing(record, undefined), ...removingAlong(record)] });

  return {
    items,
    listOf,
    listing,
    /** Deletes a record that nobody has changed since it was read. */
    remove,

    /** Finds a record. One outside the key's scope, or of a deleted organization, does not exist. */
    async find(caller: Pick<Caller, 'registered'>, id: string): Promise<Stored<T>> {
      const found = await items.get(id);
      const isVisible = found && isInScope(caller, found.organizationId);
      if (isVisible && isActiveOrganization(await recentOrganization(found.organizationId))) return found;
      throw notFound(id);
    },

    /** A page of the records of an organization: the one that is named, or that of the key. */
    async page(caller: Caller, request: ListRequest): Promise<ListPage<Stored<T>>> {
      const { q } = request;
      const { id } = await findOrganization(caller, request.organizationId ?? homeOrganizationOf(caller));
      const filter = q !== undefined && {
        matches: (record: T) => containsText(q, [record.name]),
        entryMatches: (entry: Parameters<typeof entryContainsText>[1]) => entryContainsText(q, entry),
      };
      return listPage({ list: listOf(id), read: items.getMany, ...filter }, request);
    },

    /** Deletes some of an organization. Answers how many were listed: a record that changed meanwhile is left for the next call. */
    async deleteSome(organizationId: string, limit: number): Promise<number> {
      const { ids } = await listOf(organizationId).slice({ offset: 0, limit });
      for (const record of await items.getMany(ids)) await remove(record).catch(ifThrown(RaceLost));
      return ids.length;
    },
  };
}

/** What lists show of every record. */
export const renderRecord = ({ id, name, createdAtMs, updatedAtMs, createdBy }: NamedRecord) => ({
  id,
  name,
  creationDate: isoDate(createdAtMs),
  updateDate: isoDate(updatedAtMs),
  createdBy: shownAuthor(createdBy),
});
