import { ifThrown } from '../../../../../shared/errors/expected.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { transition } from '../../../../../shared/store/state-machine.ts';
import { errors } from '../../../errors.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting, observing } from '../../../operations/domain/metrics.ts';
import { say } from '../../../sentences/sentences.ts';
import {
  type Backup,
  backupMessage,
  backupStates,
  backups,
  bytesOf,
  lastBackup,
  runningBackup,
} from './backup.ts';

// The worker tidies up after an end. Where it is killed, this message has another one do it.
const TIDY_WITHIN_MS = 120_000;

const ended = { leaseEndsAtMs: undefined } as const;

/** Ends a backup whose manifest is stored. */
export async function completeBackup(backup: Stored<Backup>, nowMs: number): Promise<Stored<Backup>> {
  const { id, by, items, startedAtMs } = backup;
  const bytes = bytesOf(backup);
  const message = say('backup.completed', { id, items, bytes });
  return transition(
    backups,
    backupStates,
    backup,
    'completed',
    { ...ended, endedAtMs: nowMs },
    {
      also: [
        runningBackup.removing(null),
        lastBackup.putting({ backupId: id, endedAtMs: nowMs, bytes }),
        backupMessage(id, nowMs + TIDY_WITHIN_MS),
        ...recordingEvent({ type: 'BackupCompleted', message, ...(by !== null && { by }) }, nowMs),
        counting('bulk_backup_runs_total', { result: 'Succeeded' }),
        observing('bulk_backup_duration_seconds', {}, (nowMs - startedAtMs) / 1_000),
      ],
    },
  );
}

/** Ends a backup that cannot go on. Undefined when it has ended already. */
export async function failBackup(
  backup: Stored<Backup>,
  reason: string,
  nowMs: number,
): Promise<Stored<Backup> | undefined> {
  const { id } = backup;
  if (!backupStates.accepts(backup.state, 'failed')) return undefined;
  const message = say('backup.failed', { id, reason });
  return transition(
    backups,
    backupStates,
    backup,
    'failed',
    { ...ended, endedAtMs: nowMs, message: reason },
    {
      anyVersion: true,
      also: [
        runningBackup.removing(null),
        backupMessage(id, nowMs + TIDY_WITHIN_MS),
        ...recordingEvent({ type: 'BackupFailed', message }, nowMs),
        counting('bulk_backup_runs_total', { result: 'Failed' }),
      ],
    },
  ).catch(ifThrown(RaceLost));
}

/** Ends the backup that runs. A worker notices at its next file. Refused with backup.not-running. */
export async function cancelBackup(by: string, nowMs: number): Promise<Stored<Backup>> {
  const running = await runningBackup.get(null);
  const backup = running && (await backups.get(running.backupId));
  if (!backup || !backupStates.accepts(backup.state, 'canceledByOperator'))
    throw errors.refuse('backup.not-running');
  const { id } = backup;
  const message = say('backup.canceled', { id });
  try {
    return await transition(
      backups,
      backupStates,
      backup,
      'canceledByOperator',
      { ...ended, endedAtMs: nowMs, message: `Canceled by ${by}.` },
      {
        // Files are stored meanwhile; only another end is in the way.
        anyVersion: true,
        also: [
          runningBackup.removing(null),
          backupMessage(id, nowMs),
          ...recordingEvent({ type: 'BackupCanceled', message, by }, nowMs),
          counting('bulk_backup_runs_total', { result: 'Canceled' }),
        ],
      },
    );
  } catch (error) {
    if (error instanceof RaceLost) throw errors.refuse('backup.not-running');
    throw error;
  }
}
