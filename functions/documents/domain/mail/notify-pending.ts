import type { Caller } from '../../../../shared/access/caller.ts';
import { MAIL_QUEUE } from '../../../../shared/mail/queue.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { ListedEntry } from '../../../../shared/store/lists/entries.ts';
import { errors } from '../../errors.ts';
import { type Document, documentItems } from '../document/document.ts';
import { documentList } from '../document/document-lists.ts';
import { sendsMail } from '../document/mail-announcement.ts';
import { readFacts } from '../document/searched-facts.ts';
import { openAssignments } from '../flow/flow.ts';
import { listPage } from '../lists/list-page.ts';
import { homeOrganizationOf, readOrganization, requireCurrentOrganization } from '../places/organization.ts';
import type { PendingSearch } from './mail-tasks.ts';
import { remindAddress } from './remind.ts';

type Clock = () => number;

/** Has each of these addresses told of what waits for it in the organization. The search goes on after the answer. */
export async function notifyPending(
  caller: Pick<Caller, 'registered' | 'application'>,
  emails: readonly string[],
  now: Clock,
): Promise<void> {
  const organization = await requireCurrentOrganization(homeOrganizationOf(caller));
  if (!sendsMail(organization)) throw errors.refuse('MailNotEnabled');
  const addresses = new Set(emails.map((email) => email.trim().toLowerCase()));
  for (const address of addresses)
    await record({ task: 'pending', organizationId: organization.id, address, told: 0 }, now);
}

/** A later search for the same address replaces one that nobody has begun. */
const record = (task: PendingSearch, now: Clock): Promise<void> =>
  recordAndSend('documents', MAIL_QUEUE, task, { id: `pending:${task.organizationId}:${task.address}`, now });

// A link opens one document, so each document has a message of its own. Nobody reads more of them at once.
const MAX_TOLD = 20;

/** Reminds an address of the documents that wait for it, the oldest first, a part of the list at a time. */
export async function remindPending(task: PendingSearch, now: Clock): Promise<'off' | 'more' | 'done'> {
  const { organizationId, address, cursor } = task;
  if (!sendsMail(await readOrganization(organizationId))) return 'off';
  const { items, nextCursor } = await listPage(
    {
      list: documentList({ organizationId, filter: 'Pending' }),
      read: documentItems.getMany,
      matches: (document: Document) =>
        openAssignments(document.flow).some(({ person }) => isAt(address, person.emailAddress ?? '')),
      // Facts name everybody of the flow: whether it is their turn, the document says.
      entryMatches: (entry) => (mayName(entry, address) ? undefined : false),
    },
    { limit: MAX_TOLD, offset: 0, order: 'Asc', cursor },
  );
  let { told } = task;
  for (const { id } of items) if (told < MAX_TOLD) told += await remindAddress(id, address, now);
  if (nextCursor === null || told >= MAX_TOLD) return 'done';
  await record({ ...task, cursor: nextCursor, told }, now);
  return 'more';
}

const isAt = (address: string, other: string): boolean => other.toLowerCase() === address;

function mayName(entry: ListedEntry, address: string): boolean {
  const read = readFacts(entry);
  return !read?.hasAll || read.facts.some(({ kind, text }) => kind === 'email' && isAt(address, text));
}
