import { html } from 'hono/html';
import type { Markup } from '../../../../shared/ui/page.ts';
import { cloud } from '../../config/hub.ts';
import { formatCount } from '../../config/page-format.ts';
import { decisionOf, type Verdict } from '../../jobs/domain/job/approval.ts';
import { MAX_REASON_CHARACTERS } from '../../jobs/reason.ts';
import { cloudPanel } from './cloud-panel.ts';
import { codeField } from './code-field.ts';
import type { JobView } from './job-view.ts';
import { jobWords } from './job-words.ts';
import { lockedText } from './locked-text.ts';
import { portalPath, secondFactorPath } from './portal-frame.ts';
import { refusalCode, refusalText } from './refusals.ts';
import { signingPanel } from './signing-panel.ts';

/** Whether the visitor can decide now: not once they have, nor once the job waits no more. */
const mayDecide = ({ standing, job, address }: JobView): boolean =>
  standing === 'waiting' && !decisionOf(job.approval, address);

/** The forms of a decision; nothing for a visitor who cannot decide. */
export function decisionForm(view: JobView): Markup | '' {
  const { language, secondFactor } = view;
  const words = jobWords(language);
  if (!mayDecide(view)) return '';
  const parts =
    secondFactor === 'not-enrolled'
      ? html`<p>${words.enrol}</p>
<a class="button wide" href="${secondFactorPath(view.job.id)}">${words.enrolLink}</a>`
      : html`${approvePart(view)}${rejectForm(view)}
<p class="faint">${words.final}</p>`;
  return html`<section class="card decision" aria-labelledby="decide">
<h2 id="decide">${words.decide}</h2>
${parts}
</section>`;
}

// Two forms: with one, Enter in a field would press its first button, whichever the person means.
function approvePart(view: JobView): Markup | '' {
  const { language, job, payments } = view;
  if (payments.outcome !== 'listed') return '';
  const { totalFormatted, paymentCount } = payments.total;
  if (job.approval.signerSet !== 'Profile') return signingPart(view, totalFormatted);
  const words = jobWords(language);
  const code = codeFor(view, 'approved');
  // A code is typed on purpose. Without one, a single tap must not move money.
  if (code !== '')
    return form(
      view,
      'approved',
      html`${code}<button class="button wide approve">${words.approve(totalFormatted)}</button>`,
    );
  const count = words.paymentsCount(formatCount(language, paymentCount), paymentCount === 1);
  return html`<details class="confirm">
<summary class="button wide approve">${words.approveOpen(totalFormatted)}</summary>
${form(
  view,
  'approved',
  html`<p>${words.approveMeans(totalFormatted, count)}</p>
<button class="button wide">${words.approveNow(totalFormatted)}</button>`,
)}
</details>`;
}

/** Whether the page has the script that signs in the browser. */
export const needsScript = (view: JobView): boolean =>
  mayDecide(view) &&
  view.job.approval.signerSet !== 'Profile' &&
  view.payments.outcome === 'listed' &&
  view.secondFactor !== 'not-enrolled';

/** With a certificate file in the browser, and with a certificate in the cloud where a hub is configured. */
function signingPart({ language, job, secondFactor }: JobView, total: string): Markup {
  const needsCode = secondFactor !== 'verified';
  const { contentSha256 } = job.approval;
  return html`<p>${jobWords(language).signing(total)}</p>
${signingPanel({ language, jobId: job.id, needsCode, contentSha256 })}
${cloud.isOffered() ? cloudPanel({ language, jobId: job.id, needsCode }) : ''}`;
}

function rejectForm(view: JobView): Markup {
  const { language, problem, typedReason } = view;
  const words = jobWords(language);
  const isReason = problem?.field === 'reason';
  const isOpen = problem?.verdict === 'rejected' || view.payments.outcome !== 'listed';
  return html`<details${isOpen ? html` open` : ''}>
<summary class="button quiet wide">${words.rejectOpen}</summary>
${form(
  view,
  'rejected',
  html`<div class="field">
<label for="reason">${words.reason}</label>
<textarea id="reason" name="reason" maxlength="${MAX_REASON_CHARACTERS}" required aria-describedby="${isReason ? 'reason-problem ' : ''}reason-hint"${isReason ? html` aria-invalid="true" autofocus` : ''}>
${typedReason}</textarea>
<p class="faint" id="reason-hint">${words.reasonHint(MAX_REASON_CHARACTERS)}</p>
${isReason ? problemBox('reason', view) : ''}
</div>
${codeFor(view, 'rejected')}
<button class="button danger wide">${words.reject}</button>`,
)}
</details>`;
}

const form = ({ job }: JobView, verdict: Verdict, content: Markup): Markup =>
  html`<form class="decide" method="post" action="${portalPath(`jobs/${job.id}/decision`)}">
<input type="hidden" name="decision" value="${verdict}">
${content}
</form>`;

function codeFor(view: JobView, verdict: Verdict): Markup | '' {
  const { language, secondFactor, problem } = view;
  if (secondFactor === 'verified') return '';
  const id = `code-${verdict}`;
  const isInvalid = problem?.field === 'code' && problem.verdict === verdict;
  return codeField({ language, id, name: 'code', problem: isInvalid ? problemBox(id, view) : undefined });
}

/** A problem that is none of one field. It is above all else: on a phone the forms are below the fold. */
export const generalProblem = (view: JobView): Markup | '' =>
  view.problem && !view.problem.field ? problemBox('decision', view) : '';

function problemBox(name: string, { language, problem, lockedUntilMs }: JobView): Markup {
  const code = problem?.code ?? '';
  const shown = refusalCode(language, code);
  return html`<div class="problem" id="${name}-problem" role="alert">
<p>${refusalText(language, code) ?? code}${lockedText(language, code, lockedUntilMs)}</p>
${shown ? html`<p class="error-code">${shown}</p>` : ''}
</div>`;
}
