import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { BegunCapture, BioPageCall, BioPageParams } from '../contract/page.ts';
import { beginCapture } from '../domain/begin-capture.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /bio/sessions/{sessionId}/captures',
    summary: 'Begin a try, called by the session page',
    params: BioPageParams,
    body: jsonBody(BioPageCall),
    answers: { 200: BegunCapture },
    refuses: [
      'BadBioSessionToken',
      'BadBioSessionOperation',
      'BioSessionExpired',
      'GeolocationRequired',
      'BiometricProviderUnavailable',
    ],
    access: 'public',
    undocumented: true,
  },
  async ({ params, body, startedAtMs }) => beginCapture({ ...params, ...body }, startedAtMs, Date.now),
);
