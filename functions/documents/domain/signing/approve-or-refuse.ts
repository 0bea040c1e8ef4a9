import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type LinkHolder, requireTicket, type TicketHolder, tickets } from '../document/action-link.ts';
import { changeDocument } from '../document/change-document.ts';
import { type Author, authorOf, findLocatedDocument, type LocatedDocument } from '../document/document.ts';
import { refusedAsWholeNotification, refusedNotification } from '../document/notifications.ts';
import { actionNotAwaited, endsByRefusal, refuseAction } from '../flow/actions.ts';
import { type Assignment, kindOf, openAssignments } from '../flow/flow.ts';
import { type ActionSelector, findAssignment, namesNobody } from '../flow/matching.ts';
import { actChange, requireOpen } from './acting.ts';

/** Approves for an application: in the name of this person, or of the only person awaited. */
export const approveDocument = (caller: Caller, id: string, request: ActionSelector, nowMs: number) =>
  approve(async () => {
    const found = await findLocatedDocument(caller, id);
    requireOpen(found.document, 'acted', nowMs);
    return { ...found, ...findAssignment(found.document.flow, request, 'approval') };
  }, nowMs);

/** Approves for the holder of a ticket. */
export const approveDocumentByKey = (key: string, ticket: string, nowMs: number) =>
  approve(async () => {
    const found = await requireTicket(key, ticket, nowMs);
    requireOpen(found.document, 'acted', nowMs);
    if (kindOf(found.action) !== 'approval')
      throw actionNotAwaited(found.document.flow, { flowActionId: found.action.id, kind: 'approval' });
    return found;
  }, nowMs);

/** A link that was revoked meanwhile decides nothing. */
const unrevoked = (holder: object): Write[] =>
  'link' in holder ? [tickets.unchanged(holder.link as LinkHolder['link'])] : [];

const approve = (find: () => Promise<TicketHolder>, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const found = await find();
    const { document, action, person } = found;
    const completion = { by: person, atMs: nowMs, certificate: null };
    await changeDocument(document, actChange(document, action, completion, { also: unrevoked(found) }));
  });

/**
 * Refuses for an application: in the name of this person, or of the only person awaited. Where several are awaited and
 * none is named, the application itself refuses the document.
 */
export const refuseDocument = (
  caller: Caller,
  id: string,
  { reason, ...selector }: ActionSelector & { readonly reason: string },
  nowMs: number,
) =>
  refuse(
    async () => {
      const found = await findLocatedDocument(caller, id);
      const { flow } = found.document;
      requireOpen(found.document, 'refused', nowMs);
      const assignment =
        namesNobody(selector) && openAssignments(flow).length > 1
          ? undefined
          : findAssignment(flow, selector);
      return { ...found, assignment, author: authorOf(caller) };
    },
    reason,
    nowMs,
  );

/** Refuses for the holder of a ticket. */
export const refuseDocumentByKey = (key: string, ticket: string, reason: string, nowMs: number) =>
  refuse(
    async () => {
      const found = await requireTicket(key, ticket, nowMs);
      requireOpen(found.document, 'refused', nowMs);
      const { id, name } = found.person;
      return { ...found, assignment: found, author: { id, name, type: 'User' } };
    },
    reason,
    nowMs,
  );

type Refuser = LocatedDocument & {
  /** The part of the flow that is refused; undefined for the document as a whole. */
  readonly assignment: Assignment | undefined;
  readonly author: Author;
};

const refuse = (find: () => Promise<Refuser>, reason: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const found = await find();
    const { document, assignment, author } = found;
    const also = unrevoked(found);
    const refusal = assignment && { by: assignment.person, atMs: nowMs, reason };
    const flow = refusal ? refuseAction(document.flow, assignment.action.id, refusal) : document.flow;
    // A rule that continues: the document is not refused, so that no event says so.
    if (assignment && !endsByRefusal(assignment.action))
      return void (await changeDocument(document, {
        event: 'acted',
        patch: { flow },
        also,
        nowMs,
      }));
    await changeDocument(document, {
      event: 'refused',
      patch: { flow, statusUpdatedBy: author, statusUpdateReason: reason },
      notifications: [
        refusal
          ? refusedNotification(assignment.action, refusal)
          : refusedAsWholeNotification(author, nowMs, reason),
      ],
      also,
      nowMs,
    });
  });
