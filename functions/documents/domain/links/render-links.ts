import { isoDate } from '../calendar.ts';
import type { StoredLink } from '../document/action-link.ts';
import type { Document } from '../document/document.ts';
import { partIdOf } from '../flow/flow.ts';

/** The links to a document, one entry for each person's part of an action. Those of another version open nothing. */
export function renderLinks({ flow, round }: Document, links: readonly StoredLink[]) {
  const current = links.filter((link) => link.round === round);
  return flow.flatMap((action) =>
    action.people.flatMap((person) => {
      const theirs = current.filter(
        ({ actionId, personId }) => actionId === action.id && personId === partIdOf(person),
      );
      if (theirs.length === 0) return [];
      const opened = theirs.flatMap(({ firstOpenedAtMs: first, lastOpenedAtMs: last }) =>
        first === undefined || last === undefined ? [] : [first, last],
      );
      return [
        {
          flowActionId: action.id,
          name: person.name,
          emailAddress: person.emailAddress,
          expirationDate: isoDate(Math.max(...theirs.map(({ expiresAtMs }) => expiresAtMs))),
          firstOpenedDate: opened.length === 0 ? null : isoDate(Math.min(...opened)),
          lastOpenedDate: opened.length === 0 ? null : isoDate(Math.max(...opened)),
        },
      ];
    }),
  );
}
