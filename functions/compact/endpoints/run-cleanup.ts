import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { cleanUp } from '../../batch/installation/retention/domain/run.ts';
import { CleanupCounts } from '../contract.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'POST /api/cleanup/run',
    summary: 'Run retention now',
    description:
      'Deletes the jobs, files and events of both surfaces that are older than the settings `Retention:*` say, as every night does. The answer counts what this call did; the rest is deleted in the background.',
    tag: 'operations',
    query: NoQuery,
    answers: { 200: CleanupCounts },
    refuses: ['auth.misconfigured'],
    rate: 'All',
  },
  async ({ caller, deadlineAtMs }) => {
    const { message: _, ...counts } = await cleanUp({ deadlineAtMs, by: caller.application }, Date.now);
    return counts;
  },
);
