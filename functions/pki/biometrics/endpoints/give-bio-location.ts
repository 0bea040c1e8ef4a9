import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { pki } from '../../service.ts';
import { BioPageParams, GiveLocation } from '../contract/page.ts';
import { giveLocation } from '../domain/end-session.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /bio/sessions/{sessionId}/location',
    summary: 'Where a device is, sent by the session page',
    params: BioPageParams,
    body: jsonBody(GiveLocation),
    answers: { 204: EMPTY },
    refuses: ['BadBioSessionToken', 'BadBioSessionOperation', 'BioSessionExpired'],
    access: 'public',
    undocumented: true,
  },
  async ({ params, body: { token, ...location } }) => {
    await giveLocation({ ...params, token }, location, Date.now());
    return empty();
  },
);
