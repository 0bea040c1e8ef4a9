import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { tickHandler } from '../../../../../shared/queue/ticks.ts';
import { settings } from '../../../settings.ts';
import { HEARTBEATS_QUEUE, sendHeartbeat } from '../domain/heartbeat.ts';

/** A heartbeat at each tick of Cluster:HeartbeatSeconds. */
export const handler = (event: SQSEvent): Promise<SQSBatchResponse> =>
  tickHandler(
    { service: 'batch', queue: HEARTBEATS_QUEUE, everySeconds: settings['Cluster:HeartbeatSeconds'] },
    () => sendHeartbeat(Date.now()),
  )(event);
