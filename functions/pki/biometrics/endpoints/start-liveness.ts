import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { StartBioSessionResponse, StartLivenessSessionRequest } from '../contract/sessions.ts';
import { startLiveness } from '../domain/start-session.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/bio/sessions/liveness',
    summary: 'Create a liveness session',
    body: jsonBody(StartLivenessSessionRequest),
    answers: { 200: StartBioSessionResponse },
    refuses: [
      'BiometricsUnavailable',
      'ReturnUrlNotRegistered',
      'TrustedOriginNotRegistered',
      'InvalidSubjectIdentifier',
    ],
    permission: 'biometrics',
  },
  async ({ body, caller }) => startLiveness(caller, body, Date.now()),
);
