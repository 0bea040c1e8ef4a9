import { logger } from '../../../../shared/log/logger.ts';
import { batch } from '../../service.ts';
import { Rescan, RescanQuery } from '../contract.ts';
import { rescan } from '../domain/rescan.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/rescan',
    summary: 'Rescan input folders',
    description:
      'Scans all folders at once, or one, and answers what was found. Failed and canceled files run again, which the watcher never does by itself. Files of a disabled profile are ignored; files of a profile that takes none are errors. Many files are scanned in the background after the answer; `message` says so.',
    tag: 'folders',
    query: RescanQuery,
    answers: { 200: Rescan },
    refuses: ['folder.not-found', 'auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ query, deadlineAtMs }) => rescan(query, { deadlineAtMs, logger: logger('batch') }, Date.now),
);
