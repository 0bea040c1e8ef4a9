import { NoQuery } from '../../../../../shared/http/request/list-query.ts';
import { json } from '../../../../../shared/http/response/answer.ts';
import { batch } from '../../../service.ts';
import { BackupStarted } from '../contract.ts';
import { startBackup } from '../domain/start-backup.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/backup',
    summary: 'Back the store up',
    description:
      'Begins a backup of all items of the store, at one moment, while the service goes on. `GET /api/backups` shows its progress. There is one at a time.',
    tag: 'operations',
    query: NoQuery,
    answers: { 202: BackupStarted },
    refuses: ['backup.disabled', 'backup.already-running', 'auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ caller }) => {
    const { id, startedAtMs } = await startBackup(caller.application, Date.now());
    return json({ backupId: id, startedAt: new Date(startedAtMs).toISOString() }, { status: 202 });
  },
);
