import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { PlaceMarks } from '../../contract/marks-sessions.ts';
import { placeMarks } from '../../domain/marks-sessions/marks-session.ts';
import { documents } from '../../service.ts';

export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/marks-sessions/{id}/marks',
    summary: 'Save the marks of the page',
    body: jsonBody(PlaceMarks),
    answers: { 204: EMPTY },
    refuses: ['InvalidTicket'],
  },
  async ({ params: { id = '' }, body }) => {
    await placeMarks({ id, ...body }, Date.now());
    return empty();
  },
);
