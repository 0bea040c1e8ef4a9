import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { logger } from '../../../shared/log/logger.ts';
import { rescan } from '../../batch/folders/domain/rescan.ts';
import { InputRescan } from '../contract.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'POST /api/input/rescan',
    summary: 'Rescan the input folders',
    description:
      'Scans all folders and answers how many files became jobs. Failed and canceled files run again. Many files are scanned in the background after the answer.',
    tag: 'operations',
    query: NoQuery,
    answers: { 200: InputRescan },
    refuses: ['auth.misconfigured'],
    rate: 'All',
  },
  async ({ deadlineAtMs }) => {
    const { totals } = await rescan({}, { deadlineAtMs, logger: logger('compact') }, Date.now);
    return { enqueued: totals.enqueued };
  },
);
