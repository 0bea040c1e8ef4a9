import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { bioSessions, ended, type Geolocation, move } from './session.ts';
import { bioSessionStates } from './session-states.ts';
import { stepOf, type Visit, visited } from './visit.ts';

/** The person ends the session, or has no camera to go on with. */
export async function abortSession(
  visit: Visit,
  reason: 'Aborted' | 'CameraUnavailable',
  nowMs = Date.now(),
): Promise<void> {
  const session = await visited(visit, nowMs);
  const failure = reason === 'Aborted' ? 'SessionAborted' : 'FaceCaptureFailed';
  await stepOf(session, nowMs, () => move(session, 'aborted', ended(failure)));
}

/** Keeps where a device is, if the session asks for it. The last word of each device counts. */
export async function giveLocation(visit: Visit, location: Geolocation, nowMs = Date.now()): Promise<void> {
  await retryOnConflict(async () => {
    const session = await visited(visit, nowMs);
    const isAsked =
      session.geolocationType !== 'Disabled' &&
      (location.device === 'Capture' || session.geolocationPolicy === 'CollectOnAllDevices');
    if (!isAsked || !bioSessionStates.allows(session.state, 'aborted'))
      throw errors.refuse('BadBioSessionOperation', { state: session.state });
    const others = session.geolocations.filter(({ device }) => device !== location.device);
    await bioSessions.change(session, { geolocations: [...others, location] });
  });
}
