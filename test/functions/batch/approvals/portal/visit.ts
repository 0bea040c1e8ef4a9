import { createHmac, randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { handler as decideInPortal } from '../../../../../functions/batch/approvals/endpoints/decide-in-portal.ts';
import { handler as getJob } from '../../../../../functions/batch/approvals/endpoints/get-approval-job.ts';
import { handler as openLink } from '../../../../../functions/batch/approvals/endpoints/open-link.ts';
import type { Endpoint } from '../../../../../shared/http/endpoint.ts';
import { call, type Request } from '../../../../requests/http-event.ts';
import { cookieValue, FORM } from '../../auth/operator.ts';
import { type ApprovalStage, approvalStage } from '../approval-stage.ts';

export const LINK_SECRET = 'sinete-local-approver-link-secret-01';
export const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'en' };

/** The token as the specification has it. */
export const tokenOf = (address: string, secret = LINK_SECRET): string =>
  createHmac('sha256', secret).update(address.toLowerCase()).digest('base64url');

export const followLink = (token: string, headers: Record<string, string> = {}) =>
  call(openLink, { params: { token }, headers: { ...BROWSER, ...headers }, address: randomUUID() });

export const titleOf = (text: string): string | undefined => /<h1>(.*?)<\/h1>/.exec(text)?.[1];

/** The approval stage with a portal that people enter by their links. */
export function portalStage(): Promise<ApprovalStage> {
  vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
  return approvalStage();
}

/** Somebody who came by their link, in a browser. */
export async function enterPortal({ email }: { readonly email: string }) {
  const { cookies } = await followLink(tokenOf(email));
  const cookie = cookieValue(cookies[0]);
  const headers = { ...BROWSER, Cookie: `lbs-approver=${cookie}` };
  const visit = (handler: Endpoint, { headers: more, ...request }: Request = {}) =>
    call(handler, { address: randomUUID(), ...request, headers: { ...headers, ...more } });
  return {
    cookie,
    visit,
    job: (id: string, query: Record<string, string> = {}) => visit(getJob, { params: { id }, query }),
    decide: (id: string, form: Record<string, string>, more: Record<string, string> = {}) =>
      visit(decideInPortal, {
        params: { id },
        headers: { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin', ...more },
        body: String(new URLSearchParams(form)),
      }),
  };
}
