import * as z from 'zod';
import { consume } from '../../../../../shared/queue/consume.ts';
import { BACKUPS_QUEUE } from '../domain/backup.ts';
import { workOnBackup } from '../domain/work-on-backup.ts';

const BackupMessage = z.object({ backupId: z.string() });

// A part of the function's time: the rest is left to further messages.
const WORK_MS = 60_000;
const MAX_RECEIVES = 5;

export const handler = consume(
  { service: 'batch', queue: BACKUPS_QUEUE, message: BackupMessage, maxReceives: MAX_RECEIVES },
  async ({ backupId }, { logger, attempt }) => {
    const deadlineAtMs = Date.now() + WORK_MS;
    const hasTime = () => Date.now() < deadlineAtMs;
    const isLastAttempt = attempt >= MAX_RECEIVES;
    await workOnBackup(backupId, { logger, now: Date.now, hasTime, isLastAttempt });
  },
);
