import * as z from 'zod';
import { partIn } from '../../../../shared/http/response/parts.ts';
import { openSessionFile } from '../../domain/marks-sessions/marks-session.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

/** A file of a marks session, for its page. */
export const handler = documents.endpoint(
  {
    route: 'GET /marks-content',
    summary: 'A file of a marks session',
    query: z.object({ id: z.string(), fileId: z.string(), ticket: z.string() }),
    answers: { 200: ANY_FILE, 206: ANY_FILE },
    refuses: ['InvalidTicket', 'UploadNotFound', 'UploadIncomplete', 'UploadAlreadyUsed'],
    access: 'public',
    streams: true,
    undocumented: true,
  },
  async ({ query, headers }) =>
    contentResponse(await openSessionFile({ ...query, partOf: partIn(headers) }, Date.now()), {
      takesRange: true,
    }),
);
