import * as z from 'zod';
import { batch } from '../../service.ts';
import { ClearedJobs } from '../contract/actions.ts';
import { clearJobs } from '../domain/clear-jobs.ts';

export const handler = batch.endpoint(
  {
    route: 'DELETE /api/jobs',
    summary: 'Clear the finished jobs',
    description:
      'Deletes every completed, failed and canceled job with its history, and frees its name. Files stay for retention. Many jobs are deleted in the background after the answer.',
    tag: 'jobs',
    // It takes no filter: one that were ignored would delete what its caller meant to keep.
    query: z.object({}),
    answers: { 200: ClearedJobs },
    refuses: ['auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ caller, deadlineAtMs }) => clearJobs(caller, { deadlineAtMs }, Date.now),
);
