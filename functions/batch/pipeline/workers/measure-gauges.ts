import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { measureGauges } from '../domain/measure-gauges.ts';

/** Puts the gauges of the service among its metrics, for alarms. */
export const handler = scheduleHandler('batch', 'measure-gauges', ({ now }) => measureGauges(now()));
