import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { scheduleScans } from '../domain/schedule-scans.ts';

export const handler = scheduleHandler('batch', 'schedule-scans', ({ now }) => scheduleScans(now()));
