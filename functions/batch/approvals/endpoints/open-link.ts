import * as z from 'zod';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { countCall } from '../../../../shared/http/middleware/limit-rate.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { accepts } from '../../../../shared/http/request/accepts.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { pageLanguage } from '../../auth/http/page-language.ts';
import { errors } from '../../errors.ts';
import { batch } from '../../service.ts';
import { settings } from '../../settings.ts';
import { approverSessions } from '../approver-sessions.ts';
import { findAddress } from '../domain/portal-link.ts';
import { deadLinkPage, refusalPage } from '../pages/notice-pages.ts';
import { portalPath } from '../pages/portal-frame.ts';
import { approverCookie, jobIn } from '../portal.ts';

/** The link is the credential. It is exchanged for a session, so that it does not stay in the address bar. */
export const handler = pageEndpoint(batch, {
  language: pageLanguage,
  visitors: 'anybody',
  refusalPage: (refusal, { language }) => refusalPage(language, refusal),
})(
  {
    route: 'GET /approvals/link/{token}',
    summary: 'Open the approver portal by a link',
    params: z.object({ token: z.string() }),
    answers: { 303: REDIRECT, 404: PAGE },
    refuses: ['approval.link-unknown'],
  },
  async (input, { language }) => {
    const address = await findAddress(input.params.token);
    if (address === undefined) {
      // A right token has 256 bits and needs no limit: the people of an office share one address.
      await countCall(batch, 'WrongLink', input);
      if (accepts(input.headers.accept, 'text/html')) return deadLinkPage(language);
      throw errors.refuse('approval.link-unknown');
    }
    const previous = input.cookies[settings['ApproverPortal:CookieName']];
    const session = { address, method: 'LinkDerivedEmail', verifiedAtMs: null } as const;
    const cookie = await approverSessions.start(previous, session, Date.now());
    const jobId = jobIn(input.query);
    return redirect(portalPath(jobId && `jobs/${jobId}`), { status: 303, cookies: [approverCookie(cookie)] });
  },
);
