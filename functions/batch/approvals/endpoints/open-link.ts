import * as z from 'zod';
import { redirect } from '../../../../shared/http/answer.ts';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageLanguage } from '../../auth/http/page-language.ts';
import { batch } from '../../service.ts';
import { settings } from '../../settings.ts';
import { approverSessions } from '../approver-sessions.ts';
import { findAddress } from '../domain/portal-link.ts';
import { deadLinkPage } from '../pages/notice-pages.ts';
import { portalPath } from '../pages/portal-frame.ts';
import { approverCookie } from '../portal.ts';

/** The link is the credential. It is exchanged for a session, so that it does not stay in the address bar. */
export const handler = batch.endpoint(
  {
    route: 'GET /approvals/link/{token}',
    summary: 'Open the approver portal by a link',
    params: z.object({ token: z.string() }),
    answers: { 303: REDIRECT, 404: PAGE },
    access: 'public',
    rate: 'Approval',
    undocumented: true,
  },
  async (input) => {
    const address = await findAddress(input.params.token);
    if (address === undefined) return deadLinkPage(pageLanguage(input));
    const previous = input.cookies[settings['ApproverPortal:CookieName']];
    const session = { address, method: 'LinkDerivedEmail', verifiedAtMs: null } as const;
    const cookie = await approverSessions.start(previous, session, Date.now());
    return redirect(portalPath(), { status: 303, cookies: [approverCookie(cookie)] });
  },
);
