import { jsonBody } from '../../../shared/http/body/reader.ts';
import { StartBioEnrollmentSessionRequest, StartBioSessionResponse } from '../contract/biometrics.ts';
import { startEnrollment } from '../domain/biometrics/start-session.ts';
import { pki } from '../service.ts';

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
  async ({ body, caller }) => startEnrollment(body, caller),
);
