import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { requireTicket, type TicketHolder } from '../document/action-link.ts';
import { changeDocument } from '../document/change-document.ts';
import { type Author, authorOf, findLocatedDocument } from '../document/document.ts';
import { refusedNotification } from '../document/notifications.ts';
import { actionNotAwaited, refuseAction } from '../flow/actions.ts';
import { kindOf } from '../flow/flow.ts';
import { type ActionSelector, findAssignment } from '../flow/matching.ts';
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

const approve = (find: () => Promise<TicketHolder>, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const { document, location, action, person } = await find();
    const completion = { by: person, atMs: nowMs, certificate: null };
    await changeDocument(document, actChange({ document, location }, action, completion));
  });

/** Refuses for an application: in the name of this person, or of the only person awaited. */
export const refuseDocument = (
  caller: Caller,
  id: string,
  { reason, ...selector }: ActionSelector & { readonly reason: string },
  nowMs: number,
) =>
  refuse(
    async () => {
      const found = await findLocatedDocument(caller, id);
      requireOpen(found.document, 'refused', nowMs);
      return { ...found, ...findAssignment(found.document.flow, selector), author: authorOf(caller) };
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
      return { ...found, author: { id, name, type: 'User' } };
    },
    reason,
    nowMs,
  );

type Refuser = TicketHolder & { readonly author: Author };

const refuse = (find: () => Promise<Refuser>, reason: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const { document, location, action, person, author } = await find();
    const refusal = { by: person, atMs: nowMs, reason };
    await changeDocument(document, {
      event: 'refused',
      patch: {
        flow: refuseAction(document.flow, action.id, refusal),
        statusUpdatedBy: author,
        statusUpdateReason: reason,
      },
      notifications: [refusedNotification(action, refusal)],
      location,
      nowMs,
    });
  });
