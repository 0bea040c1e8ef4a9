import { type Document, documentItems, type LocatedDocument } from '../document/document.ts';
import { locateOpen } from '../document/location.ts';
import { type Ending, mayTell, sendsMail } from '../document/mail-announcement.ts';
import { type Assignment, openAssignment, openAssignments, partIdOf, refusalsOf } from '../flow/flow.ts';
import { type Member, readMembers } from '../members/roster.ts';
import { readOrganization } from '../places/organization.ts';
import { isOpenFor } from '../signing/acting.ts';
import type { Announcement, CallToAct, EndNotice, PersonTask, Undelivered } from './mail-tasks.ts';

/** Somebody who is told of a document, and what they can do with it. An observer has no part in the flow. */
export type Recipient = LocatedDocument &
  Contact & {
    readonly task: CallToAct | EndNotice | Undelivered;
    readonly address: string;
  };

type Contact = {
  readonly name: string;
  readonly assignment: Assignment | undefined;
  /** The member of the organization who sent the document, at its console. */
  readonly isSender: boolean;
};

const addressOf = (address: string): string => address.trim().toLowerCase();

/** The messages that an announcement becomes: one for each person who has an address. */
export async function tasksOf(announcement: Announcement, nowMs: number): Promise<PersonTask[]> {
  const { documentId, news, round } = announcement;
  const found = await findDocument(documentId, news, nowMs);
  if (!found || found.document.round !== round) return [];
  if (news !== 'Pending')
    return [...(await peopleOf(found.document, news)).keys()].map((address) => ({
      ...{ task: 'end', documentId, ending: news, round, address },
    }));
  return openAssignments(found.document.flow)
    .filter(({ person }) => person.emailAddress !== null)
    .map(({ action, person }) => invitationOf(documentId, action.id, partIdOf(person)));
}

const invitationOf = (documentId: string, actionId: string, personId: string): CallToAct => ({
  ...{ task: 'call', kind: 'Invitation', documentId, actionId, personId, number: 0 },
});

type News = 'Pending' | Ending;

/** The document of a message, while it is so and its people may have mail of it. */
async function findDocument(
  documentId: string,
  news: News,
  nowMs: number,
  mayHave = (document: Document) => mayTell(document, news),
): Promise<LocatedDocument | undefined> {
  const document = await documentItems.get(documentId);
  if (!document || !mayHave(document) || !isSo(document, news, nowMs)) return undefined;
  const [open, organization] = await Promise.all([
    locateOpen(document),
    readOrganization(document.organizationId),
  ]);
  return open && sendsMail(organization) ? { document, location: { ...open, organization } } : undefined;
}

const isSo = (document: Document, news: News, nowMs: number): boolean =>
  news === 'Pending' ? isOpenFor(document, 'acted', nowMs) : document.state === news;

/** Whom a message goes to; undefined where they are not to be told any more. */
export function findRecipient(task: Recipient['task'], nowMs: number): Promise<Recipient | undefined> {
  if (task.task === 'end') return findNotified(task, nowMs);
  return task.task === 'call' ? findCalled(task, nowMs) : findSenderOf(task, nowMs);
}

async function findCalled(task: CallToAct, nowMs: number): Promise<Recipient | undefined> {
  const { documentId, actionId, personId, kind } = task;
  // An application may ask for a reminder where invitations are off.
  const mayHave = kind === 'RequestedReminder' ? ({ silence }: Document) => silence !== 'all' : undefined;
  const found = await findDocument(documentId, 'Pending', nowMs, mayHave);
  const assignment = found && openAssignment(found.document.flow, actionId, personId);
  const address = assignment?.person.emailAddress;
  return assignment && address
    ? { ...found, task, name: assignment.person.name, address, assignment, isSender: false }
    : undefined;
}

/** Whoever sent a document that still waits for the person whom a message did not reach. */
async function findSenderOf(task: Undelivered, nowMs: number): Promise<Recipient | undefined> {
  const found = await findDocument(task.documentId, 'Pending', nowMs);
  const assignment = found && openAssignment(found.document.flow, task.actionId, task.personId);
  const sender = assignment && (await findSender(found.document));
  return sender && { ...found, task, name: sender.name, address: sender.email, assignment, isSender: true };
}

async function findNotified(task: EndNotice, nowMs: number): Promise<Recipient | undefined> {
  const found = await findDocument(task.documentId, task.ending, nowMs);
  if (!found || found.document.round !== task.round) return undefined;
  const person = (await peopleOf(found.document, task.ending)).get(task.address);
  return person && { ...found, task, ...person, address: task.address };
}

/** The member who sent a document; undefined where a program did, or they are no member any more. */
async function findSender({ createdBy, organizationId }: Document): Promise<Member | undefined> {
  if (createdBy.type !== 'User') return undefined;
  return (await readMembers(organizationId)).find(({ id }) => id === createdBy.id);
}

/**
 * Everybody who was told of a document before, its observers, and who sent it, by address; not who refused it, nor who
 * canceled it. The conclusion is told to others too that the document names for it.
 */
async function peopleOf(document: Document, ending: Ending): Promise<ReadonlyMap<string, Contact>> {
  const { flow, observers, notifiedEmails, statusUpdatedBy } = document;
  const people = new Map<string, Contact>();
  const sender = await findSender(document);
  if (sender && statusUpdatedBy?.id !== sender.id)
    people.set(sender.email, { name: sender.name, assignment: undefined, isSender: true });
  const refusers = new Set(flow.flatMap((action) => refusalsOf(action).map(({ by }) => by.id)));
  for (const action of flow.filter(({ state }) => state !== 'Created'))
    for (const person of action.people) {
      const address = addressOf(person.emailAddress ?? '');
      if (address !== '' && !people.has(address) && !refusers.has(person.id))
        people.set(address, { name: person.name, assignment: { action, person }, isSender: false });
    }
  const notified = ending === 'Concluded' ? notifiedEmails : [];
  const others = [...observers, ...notified.map((each) => ({ name: each, emailAddress: each }))];
  for (const { name, emailAddress } of others) {
    const address = addressOf(emailAddress);
    if (!people.has(address)) people.set(address, { name, assignment: undefined, isSender: false });
  }
  return people;
}
