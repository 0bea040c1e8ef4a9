import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
// For its writers to take part in backups.
import '../../settings.ts';

export const handler = scheduleHandler('batch', 'send-due', sendDueMessages('batch'));
