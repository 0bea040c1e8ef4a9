import { scheduleHandler } from '../../../../../shared/queue/schedule.ts';
import { spreadTicks } from '../../../../../shared/queue/ticks.ts';
import { settings } from '../../../settings.ts';
import { HEARTBEATS_QUEUE, sendHeartbeat } from '../domain/heartbeat.ts';

/**
 * Sends the ticks of the next minute, and a heartbeat at once: instances that share their queues receive each other's
 * ticks, and this one nobody else can take.
 */
export const handler = scheduleHandler('batch', 'schedule-heartbeats', async ({ now }) => {
  const everySeconds = settings['Cluster:HeartbeatSeconds'];
  await spreadTicks({ service: 'batch', queue: HEARTBEATS_QUEUE, everySeconds });
  await sendHeartbeat(now());
});
