import type * as z from 'zod';
import type { BioEnrollmentSessionStatusModel, LivenessSessionStatusModel } from '../contract/sessions.ts';
import type { BioSession } from './session.ts';

const common = ({ sessionId, outcome, idCapture, geolocations }: BioSession) => ({
  sessionId,
  success: outcome?.success ?? null,
  resultDataAvailable: false,
  idCaptureStatus: idCapture ?? null,
  failure: outcome?.failure ?? null,
  geolocations: [...geolocations],
});

export const livenessStatus = (session: BioSession): z.input<typeof LivenessSessionStatusModel> => ({
  ...common(session),
  faceLivenessStatus:
    session.provider === undefined
      ? null
      : { provider: session.provider, success: session.isLive ?? false, attemptCount: session.attempts },
});

export const enrollmentStatus = (session: BioSession): z.input<typeof BioEnrollmentSessionStatusModel> => ({
  ...common(session),
  subjectIdentifier: session.subjectIdentifier,
  subjectId: session.subjectId ?? null,
  livenessStatus:
    session.provider === undefined
      ? null
      : { success: session.isLive ?? false, attemptCount: session.attempts },
});

/** The status of a session of either kind. */
export const statusOf = (session: BioSession) =>
  session.kind === 'liveness' ? livenessStatus(session) : enrollmentStatus(session);
