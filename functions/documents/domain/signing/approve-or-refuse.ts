import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { type Admitted, admitted } from '../document/action-link.ts';
import { changeDocument } from '../document/change-document.ts';
import { type Agent, agentOf, findDocument } from '../document/document.ts';
import { refusedNotice } from '../document/notifications.ts';
import { notAwaited, refused } from '../flow/actions.ts';
import { kindOf } from '../flow/flow.ts';
import { awaitedFrom, type Who } from '../flow/matching.ts';
import { actOf, refuseUnlessOpen } from './acting.ts';

/** For an application: the approval that waits for this person, or the first that waits. */
export const approveDocument = (id: string, caller: Caller, who: Who, nowMs: number) =>
  approve(async () => {
    const document = await findDocument(id, caller);
    refuseUnlessOpen(document, 'acted', nowMs);
    return { document, ...awaitedFrom(document.flow, who, 'approval') };
  }, nowMs);

/** For the person that a ticket was made for. */
export const approveDocumentByKey = (key: string, ticket: string, nowMs: number) =>
  approve(async () => {
    const found = await admitted(key, ticket, nowMs);
    refuseUnlessOpen(found.document, 'acted', nowMs);
    if (kindOf(found.action) !== 'approval')
      throw notAwaited(found.document.flow, { flowActionId: found.action.id, kind: 'approval' });
    return found;
  }, nowMs);

const approve = (find: () => Promise<Admitted>, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const { document, action, person } = await find();
    const completion = { by: person, atMs: nowMs, certificate: null };
    await changeDocument(document, actOf(document, action, completion));
  });

type Refuser = Admitted & { readonly agent: Agent };

/** For an application: in the name of this person, or of the first who is waited for. */
export const refuseDocument = (
  id: string,
  caller: Caller,
  { reason, ...who }: Who & { readonly reason: string },
  nowMs: number,
) =>
  refuse(
    async () => {
      const document = await findDocument(id, caller);
      refuseUnlessOpen(document, 'refused', nowMs);
      return { document, ...awaitedFrom(document.flow, who), agent: agentOf(caller) };
    },
    reason,
    nowMs,
  );

/** For the person that a ticket was made for. */
export const refuseDocumentByKey = (key: string, ticket: string, reason: string, nowMs: number) =>
  refuse(
    async () => {
      const found = await admitted(key, ticket, nowMs);
      refuseUnlessOpen(found.document, 'refused', nowMs);
      const { id, name } = found.person;
      return { ...found, agent: { id, name, type: 'User' } };
    },
    reason,
    nowMs,
  );

const refuse = (find: () => Promise<Refuser>, reason: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const { document, action, person, agent } = await find();
    const refusal = { by: person, atMs: nowMs, reason };
    await changeDocument(document, {
      event: 'refused',
      patch: {
        flow: refused(document.flow, action.id, refusal),
        statusUpdatedBy: agent,
        statusUpdateReason: reason,
      },
      notices: [refusedNotice(action, refusal)],
      nowMs,
    });
  });
