import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { pki } from '../../service.ts';
import { AbortCapture, BioPageParams } from '../contract/page.ts';
import { abortSession } from '../domain/end-session.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /bio/sessions/{sessionId}/abortion',
    summary: 'End a session, called by the session page',
    params: BioPageParams,
    body: jsonBody(AbortCapture),
    answers: { 204: EMPTY },
    refuses: ['BadBioSessionToken', 'BadBioSessionOperation', 'BioSessionExpired'],
    access: 'public',
    undocumented: true,
  },
  async ({ params, body: { token, reason } }) => {
    await abortSession({ ...params, token }, reason, Date.now());
    return empty();
  },
);
