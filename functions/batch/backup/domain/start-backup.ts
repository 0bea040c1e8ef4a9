import { randomBytes } from 'node:crypto';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { HEAD_START_MS } from '../../../../shared/store/due/message.ts';
import { snapshotOf } from '../../../../shared/store/snapshot/snapshot.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { instanceName } from '../../instance-name.ts';
import { settings } from '../../settings.ts';
import { BACKUPS_QUEUE, type Backup, backupMessage, backups, messageIdOf, runningBackup } from './backup.ts';
import { NOT_LISTED } from './run/list-files.ts';
import { NOT_SCANNED } from './run/scan-table.ts';
import { targetName } from './target.ts';

// 20261116-195005-3f9a1c: backups sort by their start.
const newId = (nowMs: number): string => {
  const [day = '', time = ''] = new Date(nowMs).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(3).toString('hex')}`;
};

/**
 * Begins a backup. It goes on in the worker, after the settle time. Refused with backup.disabled, or with
 * backup.already-running while there is one in the store, whichever instance began it.
 */
export async function startBackup(
  by: string | null,
  nowMs: number,
  also: readonly Write[] = [],
): Promise<Backup> {
  if (!settings['Backup:Enabled']) throw errors.refuse('backup.disabled');
  const id = newId(nowMs);
  const settleSeconds = settings['Backup:SettleSeconds'];
  const settledAtMs = nowMs + settleSeconds * 1_000;
  const backup: Backup = {
    id,
    state: 'Running',
    phase: 'Settling',
    by,
    instance: instanceName(),
    target: targetName(),
    startedAtMs: nowMs,
    settledAtMs,
    cutAtMs: null,
    endedAtMs: null,
    touchedAtMs: nowMs,
    message: null,
    segments: NOT_SCANNED,
    listedTo: NOT_LISTED,
    nextPart: 1,
    failedCuts: 0,
    items: 0,
    parts: 0,
    bytes: 0,
    files: 0,
    fileBytes: 0,
    isTidied: false,
  };
  const lock = runningBackup.creating({ backupId: id });
  await commit([
    { ...lock, refusal: () => errors.refuse('backup.already-running') },
    backups.creating(backup),
    ...snapshotOf('batch', id).starting(),
    backupMessage(id, settledAtMs + HEAD_START_MS),
    ...also,
  ]);
  // The message of the commit is the one that counts; this one comes at the second.
  await recordAndSend(
    'batch',
    BACKUPS_QUEUE,
    { backupId: id },
    {
      id: messageIdOf(id),
      delaySeconds: settleSeconds,
      now: () => nowMs,
    },
  );
  return backup;
}
