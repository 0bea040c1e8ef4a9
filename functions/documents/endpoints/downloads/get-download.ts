import { redirect } from '../../../../shared/http/answer.ts';
import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { isLocal } from '../../../../shared/settings/names.ts';
import { DownloadParams } from '../../contract/downloads.ts';
import { openContent } from '../../domain/downloads/content.ts';
import { createStoreLink, findDownload } from '../../domain/downloads/download-tickets.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

/** In a deployment a kept file comes straight from the store, whatever its size; locally it flows through here. */
export const handler = documents.endpoint(
  {
    route: 'GET /api/downloads/{ticket}',
    summary: 'Download by a ticket',
    params: DownloadParams,
    answers: { 200: ANY_FILE, 302: REDIRECT },
    refuses: ['InvalidTicket', 'ContentNotAvailable'],
    access: 'public',
    streams: true,
  },
  async ({ params, ...waiting }) => {
    const { type, find } = await findDownload(params.ticket, Date.now());
    const link = isLocal() ? undefined : await createStoreLink(type, await find());
    if (link) return redirect(link);
    return contentResponse(await openContent(find, type, { ...waiting, nowMs: Date.now() }));
  },
);
