import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { StartBioSessionResponse, StartLivenessSessionRequest } from '../contract/sessions.ts';
import { startLiveness } from '../domain/start-session.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/bio/sessions/liveness',
    summary: 'Create a liveness session',
    description:
      'Answers the address of a page at which the person shows their face. The person returns to `returnUrl`, or the page posts to `trustedOrigin`, with a ticket.',
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
