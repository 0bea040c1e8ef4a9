import { NoQuery } from '../../../../../shared/http/request/list-query.ts';
import { batch } from '../../../service.ts';
import { BackupCanceled } from '../contract.ts';
import { cancelBackup } from '../domain/end-backup.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/backup/cancel',
    summary: 'Cancel the backup that runs',
    description:
      'The backup ends at its next file. The export of the store cannot be stopped: its files are deleted when it has ended.',
    tag: 'operations',
    query: NoQuery,
    answers: { 200: BackupCanceled },
    refuses: ['backup.not-running', 'auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ caller }) => {
    const nowMs = Date.now();
    const { id } = await cancelBackup(caller.application, nowMs);
    return { backupId: id, canceledAt: new Date(nowMs).toISOString() };
  },
);
