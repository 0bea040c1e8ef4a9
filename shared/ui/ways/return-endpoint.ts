import type { Deadline } from '../../async/deadline.ts';
import { PAGE, REDIRECT } from '../../http/declaration.ts';
import type { Endpoint, Service } from '../../http/endpoint.ts';
import { pageEndpoint } from '../../http/page-endpoint.ts';
import { redirect } from '../../http/response/answer.ts';
import type { ReturnRequest, ReturnResult } from '../../hub/return.ts';
import { assetUrl } from '../assets.ts';
import { ANYBODY } from '../languages.ts';
import { lostVisitPage } from './lost-visit-page.ts';

const RESERVE_MS = 2_000;

// The address has the hub's session, which signs.
const HEADERS = { 'referrer-policy': 'no-referrer' };

/**
 * Where the hub sends the signers of a service back to.
 * @example export const handler = returnEndpoint(documents, returnToPage);
 */
export const returnEndpoint = <Code extends string, Policy extends string>(
  service: Service<Code, Policy | 'ways'>,
  returnToPage: (request: ReturnRequest, deadline: Deadline) => Promise<ReturnResult | undefined>,
): Endpoint =>
  pageEndpoint(service, ANYBODY)(
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
