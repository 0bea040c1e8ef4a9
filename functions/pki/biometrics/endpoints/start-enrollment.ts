import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { StartBioEnrollmentSessionRequest, StartBioSessionResponse } from '../contract/sessions.ts';
import { startEnrollment } from '../domain/start-session.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/bio/sessions/enrollment',
    summary: 'Create a biometric enrollment session',
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
