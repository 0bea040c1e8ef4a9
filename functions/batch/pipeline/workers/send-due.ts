import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';

export const handler = scheduleHandler('batch', 'send-due', sendDueMessages('batch'));
