import { commit } from '../../../../shared/store/commit.ts';
import { recordingEvent } from './events.ts';

/** Records an orderly stop of the service. Functions of a deployment come and go, and record none. */
export const recordServiceStopped = (nowMs: number): Promise<void> =>
  commit(recordingEvent({ type: 'ServiceStopped', message: 'The service was stopped.' }, nowMs));
