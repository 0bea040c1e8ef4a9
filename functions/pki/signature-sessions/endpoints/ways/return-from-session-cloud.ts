import { PAGE, REDIRECT } from '../../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../../shared/http/page-endpoint.ts';
import { redirect } from '../../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../../shared/ui/assets.ts';
import { ANYBODY } from '../../../../../shared/ui/languages.ts';
import { lostVisitPage } from '../../../../../shared/ui/ways/lost-visit-page.ts';
import { pki } from '../../../service.ts';
import { returnToPage } from '../../domain/ways/cloud.ts';

const RESERVE_MS = 2_000;

// The address has the hub's session, which signs.
const HEADERS = { 'referrer-policy': 'no-referrer' };

/** Where the hub sends people back to. */
export const handler = pageEndpoint(pki, ANYBODY)(
  {
    route: 'GET /cloud/return',
    summary: 'Where a hub sends signers back',
    answers: { 303: REDIRECT, 410: PAGE },
    rate: 'ways',
  },
  async ({ query, cookies, deadlineAtMs }, { language }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const returned = await returnToPage({ query, cookies }, deadline);
    if (!returned) return lostVisitPage(language, [assetUrl('..', 'common.css')]);
    return redirect(returned.back, { status: 303, headers: HEADERS, cookies: returned.cookies });
  },
);
