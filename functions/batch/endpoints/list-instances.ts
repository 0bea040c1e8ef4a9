import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { listInstances } from '../domain/list-instances.ts';
import { Cluster } from '../installation/cluster/contract.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/cluster',
    summary: 'List the instances that share the store',
    description:
      'Each with its state as of now, its version, the folders that it watches and its jobs in flight.',
    tag: 'cluster',
    query: NoQuery,
    answers: { 200: Cluster },
    refuses: ['auth.misconfigured'],
  },
  async () => ({ instances: await listInstances(Date.now()) }),
);
