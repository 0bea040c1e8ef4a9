import { html } from 'hono/html';
import type { Markup } from '../../../../shared/ui/page.ts';
import { formatCount, formatDates, timeOf } from '../../config/page-format.ts';
import { describeLotSums } from '../../jobs/domain/cnab240/lot-sums.ts';
import { decisionOf, expiryOf, tallyOf } from '../../jobs/domain/job/approval.ts';
import { addressOf } from '../../profiles/domain/approvers.ts';
import { textIn } from '../../sentences/sentences.ts';
import { decisionForm, generalProblem, needsScript } from './decision-form.ts';
import { fileScripts, fileSection } from './file-section.ts';
import type { JobView } from './job-view.ts';
import { jobWords } from './job-words.ts';
import { pathOfPayments, paymentsSection } from './payments-section.ts';
import { portalPage, portalPath } from './portal-frame.ts';
import { secondFactorWords } from './second-factor-words.ts';
import { signingScript } from './signing-panel.ts';

/** One job: the amount first, then the decision, who decides, and every payment. */
export function jobPage(view: JobView) {
  const { language, address, job, payments, problem } = view;
  const words = jobWords(language);
  const isDecided = decisionOf(job.approval, address) !== undefined;
  return portalPage({
    title: job.fileName,
    language,
    address,
    status: problem?.status ?? 200,
    scripts: [...(needsScript(view) ? [signingScript()] : []), ...fileScripts(view)],
    path: pathOfPayments(job.id, payments.outcome === 'listed' ? payments : {}),
    body: html`<div class="job">
<p><a href="${portalPath(isDecided ? 'decided' : '')}">← ${words.back}</a></p>
${confirmation(view)}${generalProblem(view)}
<div class="columns">
${summary(view)}
<div class="side">
${lotSumsNotice(view)}${sameContentNotice(view)}${decisionForm(view)}
${ruleSection(view)}
</div>
${paymentsSection(view)}
${fileSection(view)}
</div>
</div>`,
  });
}

/** The address of the page may say anything, so that what it says is looked up in the job. */
function confirmation({ language, address, job, recorded, isEnrolled }: JobView): Markup | '' {
  if (isEnrolled) return html`<p class="done" role="status">${secondFactorWords(language).done}</p>`;
  if (!recorded || decisionOf(job.approval, address)?.verdict !== recorded) return '';
  const words = jobWords(language);
  const text = recorded === 'approved' ? words.recordedApproved : words.recordedRejected;
  return html`<p class="done" role="status">${text}</p>`;
}

/** That the file states other sums than its payments have: the bank may refuse it, or pay what was not meant. */
function lotSumsNotice({ language, job }: JobView): Markup | '' {
  const { lotSums } = job.cnab240 ?? {};
  if (!lotSums) return '';
  const words = jobWords(language);
  return html`<section class="warning" aria-labelledby="lot-sums">
<h2 id="lot-sums">${words.lotSums}</h2>
<p>${textIn(language, describeLotSums(lotSums))}</p>
<p>${words.lotSumsHint}</p>
</section>
`;
}

// The newest are told; one more says no more.
const MAX_TOLD = 3;

/** That the same payments are, or were, in another file. Nothing for a file that no longer waits: it was decided on. */
function sameContentNotice({ language, standing, sameContent }: JobView): Markup | '' {
  if (standing !== 'waiting' || sameContent.length === 0) return '';
  const words = jobWords(language);
  const others = sameContent.length - MAX_TOLD;
  return html`<section class="warning" aria-labelledby="same-content">
<h2 id="same-content">${words.sameContent}</h2>
<ul>${sameContent
    .slice(0, MAX_TOLD)
    .map(
      ({ standing: other, atMs, job }) =>
        html`<li>${job ? html`<a href="${portalPath(`jobs/${job.id}`)}">${job.fileName}</a>` : words.anotherFile}: ${words[other]}, ${timeOf(language, atMs)}</li>`,
    )}${others > 0 ? html`<li>${words.andOthers(formatCount(language, others))}</li>` : ''}</ul>
<p>${words.sameContentHint}</p>
</section>
`;
}

function summary(view: JobView): Markup {
  const { language, job, standing } = view;
  const words = jobWords(language);
  const { cnab240, approval } = job;
  const expiresAtMs = expiryOf(approval);
  const count = cnab240?.paymentCount ?? 0;
  const canceled = cnab240?.cancellationCount ?? 0;
  const fact = (name: string, value: Markup | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<section class="card facts">
<p class="badge ${standing}">${words[standing]}</p>
<h1>${job.fileName}</h1>
<p class="amount">${cnab240?.totalFormatted ?? ''}</p>
<p>${words.paymentsCount(formatCount(language, count), count === 1)}${canceled > 0 ? html` <span class="faint">${words.cancellations(formatCount(language, canceled), canceled === 1)}</span>` : ''}</p>
<dl>
${cnab240 ? fact(words.paidOn, formatDates(language, cnab240)) : ''}
${fact(standing === 'waiting' ? words.since : words.parked, timeOf(language, approval.parkedAtMs))}
${standing === 'waiting' ? fact(words.expires, expiresAtMs === null ? words.never : timeOf(language, expiresAtMs)) : ''}
${fact(words.profile, job.profileName)}
${fact(words.sha256, html`<code>${approval.contentSha256}</code>`)}
</dl>
${fileLinks(view)}
</section>`;
}

/** What can be had of the file: the payments in it, the file itself, and once it is signed the signed one. */
function fileLinks({ language, job, standing, payments, kept }: JobView): Markup | '' {
  const words = jobWords(language);
  const link = (path: string, text: string) =>
    html`<a href="${portalPath(`jobs/${job.id}/${path}`)}" download>${text}</a>`;
  const links = [
    ...(payments.outcome === 'listed' ? [html`<a href="#payments">${words.seePayments}</a>`] : []),
    ...(kept.signed === 'there' ? [link('signed', words.downloadSigned)] : []),
    ...(kept.hasContent && (payments.outcome === 'listed' || standing !== 'waiting')
      ? [link('file', words.download)]
      : []),
  ];
  return html`${links.length > 0 ? html`<p class="links">${links.map((each) => html`${each} `)}</p>` : ''}${
    kept.signed === 'gone' ? html`<p class="note">${words.signedGone}</p>` : ''
  }`;
}

/** Names only: what else is known of a person is theirs. */
function ruleSection({ language, address, job: { approval } }: JobView): Markup {
  const words = jobWords(language);
  const { approved } = tallyOf(approval);
  return html`<section class="card rule" aria-labelledby="rule">
<h2 id="rule">${words.rule}</h2>
<p>${words.quorum(approval.quorum, approval.approvers.length)}</p>
<p class="progress">${words.progress(approved, approval.quorum)}</p>
<ul>
${approval.approvers.map((approver) => {
  const decision = decisionOf(approval, approver.email);
  const isVisitor = addressOf(approver.email) === addressOf(address);
  return html`<li><span><strong>${approver.name}</strong>${isVisitor ? ` (${words.you})` : ''}</span>
${
  decision
    ? html`<span><span class="badge ${decision.verdict}">${decision.verdict === 'approved' ? words.approvedBy : words.rejectedBy}</span> <span class="faint">${timeOf(language, decision.decidedAtMs)}</span></span>
${decision.reason ? html`<q>${decision.reason}</q>` : ''}`
    : html`<span class="faint">${words.missing}</span>`
}</li>
`;
})}</ul>
</section>`;
}
