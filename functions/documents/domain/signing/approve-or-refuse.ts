import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { type Admitted, admitted } from '../document/action-link.ts';
import { changeDocument } from '../document/change-document.ts';
import { findDocument } from '../document/document.ts';
import { kindOf } from '../flow/flow.ts';
import { awaitedFrom, type Who } from '../flow/matching.ts';
import { notAwaited } from '../flow/not-awaited.ts';
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
