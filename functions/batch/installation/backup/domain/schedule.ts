import { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import { collection } from '../../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../../shared/store/refusals.ts';
import { settings } from '../../../settings.ts';
import { backups, runningBackup } from './backup.ts';
import { failBackup } from './end-backup.ts';
import { startBackup } from './start-backup.ts';

/** The day whose backup was begun last, in Backup:TimeZone. */
type BackupDay = { readonly day: string };
const backupDays = collection<BackupDay, null>({
  service: 'batch',
  name: 'backup day',
  id: () => null,
  key: () => ({ pk: 'BACKUPS', sk: 'DAY' }),
});

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** A backup that could not begin at its time, because another was running or nothing was, is begun up to an hour later. */
const LATE_MINUTES = 60;

/** The day whose backup is due now. Undefined outside its hour, and where none is made by the clock. */
export function dueDay(atMinutes: number | undefined, timeZone: string, nowMs: number): string | undefined {
  if (atMinutes === undefined) return undefined;
  const [day = '', time = ''] = localTime(timeZone, nowMs);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  // After midnight it may be the one of the evening before.
  const sinceMinutes = (hours * 60 + minutes - atMinutes + DAY_MINUTES) % DAY_MINUTES;
  if (sinceMinutes >= LATE_MINUTES) return undefined;
  return hours * 60 + minutes >= atMinutes ? day : localTime(timeZone, nowMs - LATE_MINUTES * MINUTE_MS)[0];
}

const localTime = (timeZone: string, ms: number): string[] =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(ms)
    .split(' ');

/** Begins the backup of the day when it is due: once, however often and wherever this runs. */
export async function startDueBackup(logger: Logger, nowMs: number): Promise<void> {
  const day = dueDay(settings['Backup:At'], settings['Backup:TimeZone'], nowMs);
  if (day === undefined) return;
  const last = await backupDays.get(null);
  if (last?.day === day || (await runningBackup.get(null))) return;
  const writing = last ? backupDays.changing(last, { day }) : backupDays.creating({ day });
  try {
    const { id } = await startBackup(null, nowMs, [writing]);
    logger.info('The backup of the day has begun.', { backupId: id, day });
  } catch (error) {
    const isBegun = error instanceof RaceLost || error instanceof AlreadyExists;
    // A store that cannot export has it fail, and its event says so.
    const isFailed = error instanceof Refusal && error.code === 'backup.disabled';
    if (!isBegun && !isFailed) throw error;
  }
}

// Longer than any outage that a message outlasts by its repeats.
const STALLED_MS = 2 * 60 * MINUTE_MS;

/** Ends a backup that no worker has gone on with for hours, so that another one can begin. */
export async function failStalledBackup(nowMs: number): Promise<void> {
  const running = await runningBackup.get(null);
  const backup = running && (await backups.get(running.backupId));
  if (backup && nowMs - backup.touchedAtMs > STALLED_MS)
    await failBackup(backup, 'No worker has gone on with it for two hours.', nowMs);
}

/** What is to be done every minute. Nothing is read where backups are switched off. */
export async function lookAfterBackups(logger: Logger, nowMs: number): Promise<void> {
  if (!settings['Backup:Enabled']) return;
  await failStalledBackup(nowMs);
  await startDueBackup(logger, nowMs);
}
