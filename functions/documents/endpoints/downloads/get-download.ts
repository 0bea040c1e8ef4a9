import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { isLocal } from '../../../../shared/settings/names.ts';
import { DownloadParams } from '../../contract/downloads.ts';
import { openContent } from '../../domain/downloads/content.ts';
import { createStoreLink, findDownload, isShownSafely } from '../../domain/downloads/download-tickets.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

/** A deployment redirects to the store, so a stored file may have any size. Locally it flows through this function. */
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
  async ({ params, deadlineAtMs, hangUp }) => {
    const { type, isPreview, find } = await findDownload(params.ticket, Date.now());
    const link = isLocal() ? undefined : await createStoreLink(type, await find(), Date.now(), isPreview);
    if (link) return redirect(link);
    const content = await openContent(find, type, { now: Date.now, deadlineAtMs, hangUp });
    return contentResponse(content, { preview: isPreview && isShownSafely(content) });
  },
);
