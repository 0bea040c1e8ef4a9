import { commit } from '../../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { say } from '../../../sentences/sentences.ts';
import { instances } from './instance.ts';

/** Records an orderly stop of this instance. Functions of a deployment come and go, and record none. */
export function recordServiceStopped(nowMs: number): Promise<void> {
  const name = instanceName();
  const event = {
    type: 'ServiceStopped',
    message: say('instance.stopped', { name }),
  } as const;
  return retryOnConflict(async () => {
    const own = await instances.get(name);
    const stopping = own ? [instances.changing(own, { isStopped: true })] : [];
    await commit([...stopping, ...recordingEvent(event, nowMs)]);
  });
}
