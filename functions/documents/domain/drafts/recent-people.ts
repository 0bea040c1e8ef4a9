import type { Caller } from '../../../../shared/access/caller.ts';
import { documentItems } from '../document/document.ts';
import { documentList } from '../document/document-lists.ts';
import { homeOrganizationOf } from '../places/organization.ts';

export type KnownPerson = {
  readonly name: string;
  readonly identifier: string;
  readonly email: string;
};

// Two requests to the store. Whoever is in none of these is typed once more.
const LOOKED_AT = 50;

/** The people of the newest documents of the organization, the newest first. */
export async function recentPeople(caller: Caller): Promise<readonly KnownPerson[]> {
  const list = documentList({ organizationId: homeOrganizationOf(caller) });
  const { ids } = await list.slice({ offset: 0, limit: LOOKED_AT });
  const found = await documentItems.getMany(ids);
  const people = found.flatMap(({ flow }) =>
    flow.flatMap((action) =>
      action.people.flatMap(({ name, identifier, emailAddress }) =>
        emailAddress === null ? [] : [{ name, identifier: identifier ?? '', email: emailAddress }],
      ),
    ),
  );
  return [
    ...new Map(people.toReversed().map((person) => [person.email.toLowerCase(), person])).values(),
  ].reverse();
}
