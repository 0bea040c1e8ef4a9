import type * as z from 'zod';
import { deferredBody, formBody, jsonBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { accepts } from '../../../../shared/http/request/accepts.ts';
import { pageLanguage } from '../../auth/http/page-language.ts';
import { errors } from '../../errors.ts';
import { tallyOf } from '../../jobs/domain/job/approval.ts';
import { requireShort } from '../../jobs/reason.ts';
import { batch } from '../../service.ts';
import { settings } from '../../settings.ts';
import { ApprovalParams, DecisionBody, DecisionResult } from '../contract.ts';
import { type Decided, decide } from '../domain/decide.ts';
import { isVerdict, reasonOf } from '../domain/decide-in-portal.ts';
import { approvePage, recordedPage } from '../pages/approve-page.ts';
import { senderOf } from '../portal.ts';

/** With a second factor the route refuses all that is sent to it alike. */
const isWithdrawn = (): boolean => settings['ApproverSecondFactor:Enabled'];

/** Anonymous: the address must be in the job's frozen pool. The order of the refusals is the specification's. */
export const handler = pageEndpoint(batch, {
  language: pageLanguage,
  visitors: 'anybody',
  refusalPage: (refused, { language, call }) => approvePage({ language, id: call.params.id ?? '', refused }),
  fromOtherSites: () => (isWithdrawn() ? 'any' : 'json'),
})(
  {
    route: 'POST /api/approvals/{id}',
    summary: 'Approve or reject a job',
    description:
      'Anonymous: whoever knows the id of the job and the address of an approver decides. A rejection is a veto. With a second factor enabled, decisions are made in the portal only. A caller that accepts `text/html`, which is a form in a browser, gets pages: 201 for a decision that was recorded.',
    tag: 'approvals',
    params: ApprovalParams,
    body: deferredBody(oneOf(jsonBody(DecisionBody), formBody(DecisionBody))),
    answers: {
      200: DecisionResult,
      201: PAGE,
      400: PAGE,
      403: PAGE,
      404: PAGE,
      409: PAGE,
      500: PAGE,
    },
    refuses: [
      'auth.cross-origin',
      'approval.second-factor-required',
      'approval.unknown-decision',
      'validation.reason-too-long',
      'job.not-found',
      'approval.job-incomplete',
      'approval.not-pending',
      'approval.unknown-approver',
      'approval.already-decided',
      'approval.signature-required',
    ],
    undocumented: false,
    rate: 'Approval',
  },
  async (input, { language }) => {
    // Before anything is read.
    if (isWithdrawn()) throw errors.refuse('approval.second-factor-required');
    const decided = await decideOnce(input, await input.body());
    if (!accepts(input.headers.accept, 'text/html')) return renderDecision(decided);
    const { approved, required } = tallyOf(decided.approval);
    const { verdict } = decided.decision;
    return recordedPage({ language, id: input.params.id, verdict, approved, required });
  },
);

type DecisionRequest = z.output<typeof DecisionBody>;
type Sender = Parameters<typeof senderOf>[0] & { readonly params: { readonly id: string } };

async function decideOnce(sender: Sender, { email, decision: verdict, reason }: DecisionRequest) {
  const isOfForm = isForm(sender.headers);
  if (!isVerdict(verdict)) throw errors.refuse('approval.unknown-decision');
  return decide(
    {
      jobId: sender.params.id,
      email,
      verdict,
      reason: requireShort(isOfForm ? reasonOf(reason ?? '') : reason) ?? null,
      method: 'SelfDeclaredEmail',
      ...senderOf(sender),
    },
    Date.now(),
  );
}

const isForm = (headers: Sender['headers']): boolean =>
  (headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded');

/** The job after a decision, as programs read it. */
function renderDecision({ job, approval, decision }: Decided) {
  const { verdict, reason, approver } = decision;
  const about = { jobId: job.id, approverName: approver.name };
  if (verdict === 'rejected') return { ...about, reason, terminated: true };
  const { approved, required, outstanding, quorumReached } = tallyOf(approval);
  return {
    ...about,
    approved,
    required,
    outstanding,
    quorumMet: quorumReached,
    released: job.state === 'Queued',
  };
}
