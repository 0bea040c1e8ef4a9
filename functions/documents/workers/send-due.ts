import { sendDueMessages } from '../../../shared/queue/due.ts';
import { scheduleHandler } from '../../../shared/queue/scheduled.ts';

export const handler = scheduleHandler('documents', 'send-due', sendDueMessages('documents'));
