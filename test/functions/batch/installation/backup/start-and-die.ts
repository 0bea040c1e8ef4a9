// Run by backup.test.ts: starts a backup, and is killed when the store has begun to export.
import '../../../../stores/child-stores.ts';
import { startBackup } from '../../../../../functions/batch/installation/backup/domain/start-backup.ts';
import { dynamo } from '../../../../../shared/store/client.ts';

dynamo().middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      const answer = await next(args);
      if (commandName === 'ExportTableToPointInTimeCommand') process.kill(process.pid, 'SIGKILL');
      return answer;
    },
  { step: 'initialize', name: 'die' },
);
await startBackup('operator', Date.now());
