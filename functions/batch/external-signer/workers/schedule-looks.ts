import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { scheduleLooks } from '../domain/signer-message.ts';

export const handler = scheduleHandler('batch', 'schedule-looks', ({ now }) => scheduleLooks(now()));
