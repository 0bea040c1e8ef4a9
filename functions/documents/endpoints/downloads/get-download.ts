import { redirect } from '../../../../shared/http/answer.ts';
import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { isLocal } from '../../../../shared/settings/names.ts';
import { DownloadParams } from '../../contract/downloads.ts';
import { openContent } from '../../domain/downloads/content.ts';
import { findDownload, storeLink } from '../../domain/downloads/download-tickets.ts';
import { ANY_FILE, contentAnswer } from '../../http/content-answer.ts';
import { documents } from '../../service.ts';

/** In a deployment a kept file comes straight from the store, whatever its size; locally it flows through here. */
export const handler = documents.endpoint(
  {
    route: 'GET /api/downloads/{ticket}',
    summary: 'Download by a ticket',
    description:
      'Opens the location that GET …/ticket answered. It needs no key; the ticket in the path is the credential.',
    params: DownloadParams,
    answers: { 200: ANY_FILE, 302: REDIRECT },
    refuses: ['InvalidTicket', 'ContentNotAvailable'],
    access: 'public',
    streams: true,
  },
  async ({ params, ...waiting }) => {
    const { type, find } = await findDownload(params.ticket, Date.now());
    const link = isLocal() ? undefined : await storeLink(type, await find());
    if (link) return redirect(link);
    return contentAnswer(await openContent(find, type, { ...waiting, nowMs: Date.now() }));
  },
);
