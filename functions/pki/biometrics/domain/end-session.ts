import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { bioSessionStates, bioSessions, endedWith, type Geolocation, moveSession } from './session.ts';
import { findVisitedSession, type PageRequest, runStep } from './visit.ts';

/** Ends the session on request of the person, or for lack of a camera. */
export async function abortSession(
  visit: PageRequest,
  reason: 'Aborted' | 'CameraUnavailable',
  nowMs: number,
): Promise<void> {
  const session = await findVisitedSession(visit, nowMs);
  const failure = reason === 'Aborted' ? 'SessionAborted' : 'FaceCaptureFailed';
  await runStep(session, nowMs, () => moveSession(session, 'aborted', endedWith(failure)));
}

/** Records the location of a device, if the session asks for it. The last one of each device counts. */
export async function giveLocation(visit: PageRequest, location: Geolocation, nowMs: number): Promise<void> {
  await retryOnConflict(async () => {
    const session = await findVisitedSession(visit, nowMs);
    const isAsked =
      session.geolocationType !== 'Disabled' &&
      (location.device === 'Capture' || session.geolocationPolicy === 'CollectOnAllDevices');
    if (!isAsked || !bioSessionStates.accepts(session.state, 'aborted'))
      throw errors.refuse('BadBioSessionOperation', { state: session.state });
    const others = session.geolocations.filter(({ device }) => device !== location.device);
    await bioSessions.change(session, { geolocations: [...others, location] });
  });
}
