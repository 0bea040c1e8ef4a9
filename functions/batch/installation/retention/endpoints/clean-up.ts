import { NoQuery } from '../../../../../shared/http/request/list-query.ts';
import { batch } from '../../../service.ts';
import { CleanupResult } from '../contract.ts';
import { cleanUp } from '../domain/run.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/cleanup',
    summary: 'Run retention now',
    description:
      'Deletes jobs, files of output/ and error/, and events that are older than the settings `Retention:*` say, as every night does. An unfinished job is never touched. The answer counts what this call did; the rest is deleted in the background.',
    tag: 'operations',
    query: NoQuery,
    answers: { 200: CleanupResult },
    refuses: ['auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ caller, deadlineAtMs }) => cleanUp({ deadlineAtMs, by: caller.application }, Date.now),
);
