import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { settings } from '../../settings.ts';
import { failStalledBackup, startDueBackup } from '../domain/schedule.ts';

export const handler = scheduleHandler('batch', 'schedule-backups', async ({ logger, now }) => {
  if (!settings['Backup:Enabled']) return;
  await failStalledBackup(now());
  await startDueBackup(logger, now());
});
