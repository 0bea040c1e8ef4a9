import { NoQuery } from '../../../../../shared/http/request/list-query.ts';
import { batch } from '../../../service.ts';
import { BackupList } from '../contract.ts';
import { listBackups } from '../domain/list-backups.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/backups',
    summary: 'List backups',
    description:
      'The backup that runs, with its progress, and the last 200 that have ended, newest first: complete, failed and canceled.',
    tag: 'operations',
    query: NoQuery,
    answers: { 200: BackupList },
    refuses: ['auth.misconfigured'],
  },
  async () => listBackups(),
);
