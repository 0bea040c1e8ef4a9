import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { errors } from '../../errors.ts';
import { isoDate } from '../calendar.ts';
import type { Author, Observer } from '../document/document.ts';
import { shownAuthor } from '../document/notifications.ts';
import type { Flow } from '../flow/flow.ts';
import { listPage, type PageRequest } from '../lists/list-page.ts';
import { renderAction } from '../lists/render-action.ts';
import { renderObserver } from '../lists/render-document.ts';
import {
  findOrganization,
  homeOrganizationOf,
  isActiveOrganization,
  isInScope,
  recentOrganization,
} from '../places/organization.ts';

/** A flow that an organization keeps for later documents. No document is bound to it: a program copies its actions. */
export type StoredFlow = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly areActionsOrdered: boolean;
  /** Planned, and never begun. */
  readonly flow: Flow;
  readonly observers: readonly Observer[];
  readonly createdBy: Author;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export const storedFlows = collection<StoredFlow, string>({
  service: 'documents',
  name: 'stored flow',
  id: ({ id }) => id,
  key: (id) => ({ pk: `FLOW#${id}`, sk: 'FLOW' }),
});

/** The stored flows of an organization, by creation time. */
export const storedFlowList = (organizationId: string) =>
  numberedList({ service: 'documents', name: `flows/organization/${organizationId}` });

type Listed = Pick<StoredFlow, 'id' | 'organizationId' | 'createdAtMs' | 'name'>;

const entryOf = ({ id, createdAtMs, name }: Listed): Entry => ({ id, atMs: createdAtMs, facts: [name] });

/** The writes that keep the list right when a flow is stored (no before), replaced or deleted (no after). */
export const listingFlow = (before: Listed | undefined, after: Listed | undefined) =>
  storedFlowList(before?.organizationId ?? after?.organizationId ?? '').changing(
    before && entryOf(before),
    after && entryOf(after),
  );

/** Finds a stored flow. One outside the key's scope, or of a deleted organization, does not exist. */
export async function findStoredFlow(
  caller: Pick<Caller, 'registered'>,
  id: string,
): Promise<Stored<StoredFlow>> {
  const found = await storedFlows.get(id);
  const isVisible = found && isInScope(caller, found.organizationId);
  if (isVisible && isActiveOrganization(await recentOrganization(found.organizationId))) return found;
  throw errors.refuse('FlowNotFound', { resourceName: 'DocumentFlow', resourceId: id });
}

/** A stored flow as lists show it. */
export const renderStoredFlow = ({ id, name, createdAtMs, updatedAtMs, createdBy }: StoredFlow) => ({
  id,
  name,
  creationDate: isoDate(createdAtMs),
  updateDate: isoDate(updatedAtMs),
  createdBy: shownAuthor(createdBy),
});

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

export type ListFlowsRequest = PageRequest & {
  readonly organizationId?: string | undefined;
  readonly q?: string | undefined;
};

/** Lists the stored flows of an organization. */
export async function listStoredFlows(caller: Caller, request: ListFlowsRequest) {
  const { q } = request;
  const organizationId = request.organizationId ?? homeOrganizationOf(caller);
  const { id } = await findOrganization(caller, organizationId);
  const filter = q !== undefined && {
    matches: ({ name }: StoredFlow) => containsText(q, [name]),
    entryMatches: (entry: Parameters<typeof entryContainsText>[1]) => entryContainsText(q, entry),
  };
  const page = await listPage({ list: storedFlowList(id), read: storedFlows.getMany, ...filter }, request);
  return { ...page, items: page.items.map(renderStoredFlow) };
}
