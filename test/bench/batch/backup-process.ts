import '../../child-stores.ts';
import { backups } from '../../../functions/batch/backup/domain/backup.ts';
import { startBackup } from '../../../functions/batch/backup/domain/start-backup.ts';
import { workOnBackup } from '../../../functions/batch/backup/domain/work-on-backup.ts';
import { logger } from '../../../shared/log/logger.ts';

// The worker of backups, in a process of its own as on AWS. Each message makes one, and is answered with its times.

const HOUR_MS = 3_600_000;

async function backUp(): Promise<void> {
  const { id, settledAtMs } = await startBackup('bench', Date.now());
  await new Promise((done) => setTimeout(done, settledAtMs - Date.now() + 1));
  const startedAt = performance.now();
  const worker = { isLastAttempt: true, logger: logger('batch'), now: Date.now };
  await workOnBackup(id, { ...worker, deadlineAtMs: Date.now() + HOUR_MS });
  const seconds = (performance.now() - startedAt) / 1_000;
  const made = await backups.get(id);
  process.send?.({ seconds, items: made?.items ?? 0, state: made?.state });
}

process.on('message', () => void backUp());
