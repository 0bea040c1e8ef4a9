import '../../../stores/child-stores.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { type Backup, backups } from '../../../../functions/batch/installation/backup/domain/backup.ts';
import { startBackup } from '../../../../functions/batch/installation/backup/domain/start-backup.ts';
import { workOnBackup } from '../../../../functions/batch/installation/backup/domain/work-on-backup.ts';
import { logger } from '../../../../shared/log/logger.ts';

// The worker of backups, in a process of its own as on AWS. Each message makes one, and is answered with its times.

// A message of the queue takes longer.
const LOOK_MS = 100;

async function backUp(): Promise<void> {
  const startedAt = performance.now();
  const { id } = await startBackup('bench', Date.now());
  const worker = { isLastAttempt: true, logger: logger('batch'), now: Date.now };
  let made: Backup | undefined;
  do {
    await pause(LOOK_MS);
    await workOnBackup(id, { ...worker, hasTime: () => true });
    made = await backups.get(id);
  } while (made?.state === 'Running');
  const seconds = (performance.now() - startedAt) / 1_000;
  process.send?.({ seconds, items: made?.items ?? 0, state: made?.state });
}

process.on('message', () => void backUp());
