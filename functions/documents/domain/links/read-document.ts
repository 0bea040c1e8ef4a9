import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { MessageModel } from '../../contract/mail.ts';
import { isoDate } from '../calendar.ts';
import type { StoredLink } from '../document/action-link.ts';
import { type Document, requireVisible } from '../document/document.ts';
import { partIdOf } from '../flow/flow.ts';
import { renderDocument } from '../lists/render-document.ts';
import { readWithTraces, type WithTraces } from '../mail/document-mails.ts';
import { readMailName } from '../mail/mail-tasks.ts';

/** Reads a document with the messages about it and the links to it, all in one request. */
export async function readDocument(caller: Pick<Caller, 'registered'>, id: string, nowMs: number) {
  const { document: stored, mails, links } = await readWithTraces(id);
  const { document, location } = await requireVisible(caller, id, stored);
  return {
    ...renderDocument(document, location, nowMs),
    messages: mails.flatMap((mail) => renderMessage(document, mail)),
    actionUrls: renderLinks(document, links),
  };
}

type Message = z.output<typeof MessageModel>;

const STATUS = { sending: 'Sending', sent: 'Sent', failed: 'Failed' } as const;

/** A message as responses show it; none where it is about another version. */
function renderMessage({ flow }: Document, mail: WithTraces['mails'][number]): Message[] {
  const { name, state, createdAtMs, endedAtMs, problem } = mail;
  const named = readMailName(name);
  if (!named) return [];
  const common = {
    kind: named.kind,
    status: STATUS[state],
    date: isoDate(endedAtMs ?? createdAtMs),
    problem: problem ?? null,
  };
  if ('address' in named) return [{ ...common, flowActionId: null, emailAddress: named.address }];
  const action = flow.find(({ id }) => id === named.actionId);
  const person = action?.people.find((each) => partIdOf(each) === named.personId);
  if (!action || !person) return [];
  return [{ ...common, flowActionId: action.id, emailAddress: person.emailAddress ?? '' }];
}

/** The links to a document, one entry for each person's part of an action. Those of another version open nothing. */
function renderLinks({ flow, round }: Document, links: readonly StoredLink[]) {
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
