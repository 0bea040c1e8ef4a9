import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { StoredFlowRequest } from '../../contract/document-flows.ts';
import { errors } from '../../errors.ts';
import { authorOf } from '../document/document.ts';
import { planFlow } from '../flow/new-flow.ts';
import { derivedGuid } from '../guids.ts';
import { requireHomeOrganization } from '../places/organization.ts';
import {
  findStoredFlow,
  listingFlow,
  renderStoredFlow,
  type StoredFlow,
  storedFlows,
} from './stored-flow.ts';

/** Stores a flow for the organization of the key. */
export const storeFlow = (caller: Caller, request: StoredFlowRequest, nowMs: number): Promise<StoredFlow> =>
  retryOnConflict(async () => {
    const id = randomUUID();
    const organizationId = await requireHomeOrganization(caller);
    const flow: StoredFlow = {
      id,
      organizationId,
      ...contentOf({ id, organizationId }, request),
      createdBy: authorOf(caller),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    const kept = await keepingAnswer(renderStoredFlow(flow));
    await commit([storedFlows.creating(flow), ...listingFlow(undefined, flow), ...kept]);
    return flow;
  });

/** Replaces everything that a request says of a stored flow. Documents that were made of it stay as they are. */
export const replaceFlow = (
  caller: Caller,
  id: string,
  request: StoredFlowRequest,
  nowMs: number,
): Promise<StoredFlow> =>
  retryOnConflict(async () => {
    const before = await findStoredFlow(caller, id);
    const after = { ...before, ...contentOf(before, request), updatedAtMs: nowMs };
    return storedFlows.change(before, after, { also: listingFlow(before, after) });
  });

/** Deletes a stored flow. */
export const deleteFlow = (caller: Caller, id: string): Promise<void> =>
  retryOnConflict(async () => {
    const found = await findStoredFlow(caller, id);
    await storedFlows.delete(found, { also: listingFlow(found, undefined) });
  });

// As much as a document takes of it.
const MAX_BYTES = 120_000;

type Content = Pick<StoredFlow, 'name' | 'areActionsOrdered' | 'flow' | 'observers'>;

function contentOf(
  { id, organizationId }: Pick<StoredFlow, 'id' | 'organizationId'>,
  { name, areActionsOrdered, flowActions, observers }: StoredFlowRequest,
): Content {
  const hasSteps = flowActions.some(({ step }) => (step ?? 0) > 0);
  const planned = planFlow(flowActions, organizationId).map((action, index) => ({
    ...action,
    id: derivedGuid('stored action', id, String(index)),
    ...(areActionsOrdered && !hasSteps && { step: index + 1 }),
  }));
  const content = {
    name,
    areActionsOrdered: areActionsOrdered ?? false,
    flow: planned,
    observers: observers ?? [],
  };
  if (Buffer.byteLength(JSON.stringify(content)) > MAX_BYTES)
    throw errors.refuse('InvalidRequest', {
      field: 'flowActions',
      reason: 'are too large together for a document',
    });
  return content;
}
