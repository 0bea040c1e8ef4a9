import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { StartBioEnrollmentSessionRequest, StartBioSessionResponse } from '../contract/sessions.ts';
import { startEnrollment } from '../domain/start-session.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/bio/sessions/enrollment',
    summary: 'Create a biometric enrollment session',
    description:
      'Answers the address of a page at which the face of the subject is enrolled. The return carries a ticket, as in a liveness session.',
    body: jsonBody(StartBioEnrollmentSessionRequest),
    answers: { 200: StartBioSessionResponse },
    refuses: [
      'BiometricsUnavailable',
      'ReturnUrlNotRegistered',
      'TrustedOriginNotRegistered',
      'InvalidSubjectIdentifier',
      'SubjectAlreadyEnrolled',
    ],
    permission: 'biometrics',
  },
  async ({ body, caller }) => startEnrollment(caller, body, Date.now()),
);
