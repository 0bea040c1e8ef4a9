import { sendDueMessages } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';

export const handler = scheduleHandler('credentials', 'send-due', sendDueMessages('credentials'));
