import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { BioPageCall, BioPageParams, BioReturn } from '../contract/page.ts';
import { returnPerson } from '../domain/return-person.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /bio/sessions/{sessionId}/return',
    summary: 'How the person goes on from a session, asked by the session page',
    params: BioPageParams,
    body: jsonBody(BioPageCall),
    answers: { 200: BioReturn },
    refuses: ['BadBioSessionToken', 'BadBioSessionOperation', 'BioSessionExpired'],
    access: 'public',
    undocumented: true,
  },
  async ({ params, body }) => returnPerson({ ...params, ...body }, Date.now()),
);
