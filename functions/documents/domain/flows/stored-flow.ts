import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import type { Observer } from '../document/document.ts';
import type { Flow } from '../flow/flow.ts';
import { type NamedRecord, namedRecords, renderRecord } from '../lists/named-records.ts';
import { renderAction } from '../lists/render-action.ts';
import { renderObserver } from '../lists/render-document.ts';

/** A flow that an organization keeps for later documents. No document is bound to it: a program copies its actions. */
export type StoredFlow = NamedRecord & {
  readonly areActionsOrdered: boolean;
  /** Planned, and never begun. */
  readonly flow: Flow;
  readonly observers: readonly Observer[];
};

const records = namedRecords<StoredFlow>({
  name: 'stored flow',
  prefix: 'FLOW',
  plural: 'flows',
  notFound: (id) => errors.refuse('FlowNotFound', { resourceName: 'DocumentFlow', resourceId: id }),
});

export const {
  items: storedFlows,
  listOf: storedFlowList,
  listing: listingFlow,
  find: findStoredFlow,
  deleteSome: deleteSomeFlows,
} = records;

/** A stored flow as lists show it. */
export const renderStoredFlow = (flow: StoredFlow) => renderRecord(flow);

/** Reads a stored flow with its actions and observers. */
export async function readStoredFlow(caller: Pick<Caller, 'registered'>, id: string) {
  const found = await findStoredFlow(caller, id);
  return {
    ...renderStoredFlow(found),
    areActionsOrdered: found.areActionsOrdered,
    flowActions: found.flow.map((action) => renderAction(action, found.updatedAtMs)),
    observers: found.observers.map((observer, index) => renderObserver(id, observer, index)),
  };
}

/** Lists the stored flows of an organization. */
export async function listStoredFlows(caller: Caller, request: Parameters<typeof records.page>[1]) {
  const page = await records.page(caller, request);
  return { ...page, items: page.items.map(renderStoredFlow) };
}
