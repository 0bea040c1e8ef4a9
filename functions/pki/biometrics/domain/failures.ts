import type { FAILURES } from '../contract/sessions.ts';

export type Failure = (typeof FAILURES)[number];

/** The faults of a failed try. */
export type Fault =
  /** No live person was recognized; light, distance or haste may be the cause. */
  | 'notLive'
  /** No face of sufficient quality. */
  | 'noFace'
  /** The capture was unusable. */
  | 'captureFailed'
  /** A picture or a screen was held before the camera. */
  | 'flat'
  /** No face on the picture of the document. */
  | 'noDocument'
  /** The face on the document is another one. */
  | 'otherPerson'
  /** The face is enrolled for another subject. */
  | 'duplicate';

/** Whether the person may try again, and the failure of the session after the last try. */
export const FAULTS: Readonly<Record<Fault, { readonly mayRetry: boolean; readonly failure: Failure }>> = {
  notLive: { mayRetry: true, failure: 'AttemptsLimitReached' },
  noFace: { mayRetry: true, failure: 'FaceNotFoundWithSufficientQuality' },
  captureFailed: { mayRetry: true, failure: 'FaceCaptureFailed' },
  noDocument: { mayRetry: true, failure: 'DocumentCaptureFailed' },
  flat: { mayRetry: false, failure: 'FaceLiveness2dFailed' },
  otherPerson: { mayRetry: false, failure: 'FaceIdentityVerificationFailed' },
  duplicate: { mayRetry: false, failure: 'DuplicatesFound' },
};
