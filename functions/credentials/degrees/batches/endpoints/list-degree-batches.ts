import { credentials } from '../../../service.ts';
import { homeOrganizationOf, requireOrganization } from '../../../tenants/domain/organization.ts';
import { DegreeBatchList, DegreeBatchListQuery } from '../contract.ts';
import { listBatches, renderBatch } from '../domain/read-batch.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/degrees/batches',
    can: 'items.read',
    summary: 'List batches of degrees',
    description: 'A page of the batches of an organization, newest first. Every page costs the same.',
    tag: 'degrees',
    query: DegreeBatchListQuery,
    answers: { 200: DegreeBatchList },
    refuses: ['OrganizationRequired', 'SubscriptionNotFound'],
  },
  async ({ query: { subscriptionId, ...query }, caller }) => {
    const { id } = await requireOrganization(caller, subscriptionId ?? homeOrganizationOf(caller));
    const found = await listBatches(id, query);
    return { ...found, items: found.items.map(renderBatch) };
  },
);
