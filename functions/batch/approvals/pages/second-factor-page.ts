import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { qrCode } from '../../../../shared/ui/qr-code.ts';
import { timeOf } from '../../config/page-format.ts';
import { settings } from '../../settings.ts';
import type { CodeRefusal } from '../domain/second-factor/check-code.ts';
import type { EnrolmentView } from '../domain/second-factor/enrol.ts';
import { lockedText } from './locked-text.ts';
import { portalPage, portalPath, secondFactorPath } from './portal-frame.ts';
import { refusalText } from './refusals.ts';
import { secondFactorWords } from './second-factor-words.ts';

type SecondFactorPage = {
  readonly language: Language;
  readonly address: string;
  readonly view: EnrolmentView;
  /** The job that the person comes from. */
  readonly jobId: string | undefined;
  /** Why the code that was sent is refused. */
  readonly refusal?: CodeRefusal;
};

/** The second factor of a person: what it is, how to set it up, or since when they have it. No script is needed. */
export function secondFactorPage(page: SecondFactorPage) {
  const { language, address, jobId, refusal } = page;
  const { title } = secondFactorWords(language);
  return portalPage({
    title,
    language,
    address,
    path: secondFactorPath(jobId),
    status: refusal ? 400 : 200,
    styles: ['batch-second-factor.css'],
    body: html`<div class="card notice second-factor">
<h1>${title}</h1>
${contentOf(page)}
</div>`,
  });
}

function contentOf({ language, view, refusal, jobId }: SecondFactorPage): Markup {
  if (view.state === 'pending') return pendingContent(language, view, refusal, jobId);
  if (view.state === 'enrolled') return enrolledContent(language, view.confirmedAtMs, jobId);
  const words = secondFactorWords(language);
  if (view.state === 'disabled') return html`<p>${words.disabled}</p>${wayBack(language, jobId)}`;
  return html`<p>${words.why}</p>
<p class="faint">${words.anyApp}</p>
${beginForm(words.begin, 'button wide', jobId)}`;
}

const beginForm = (label: string, classes: string, jobId: string | undefined): Markup =>
  html`<form method="post" action="${secondFactorPath(jobId, '/enrolment')}"><button class="${classes}">${label}</button></form>`;

function wayBack(language: Language, jobId: string | undefined): Markup {
  const { toJob, toApprovals } = secondFactorWords(language);
  return jobId === undefined
    ? html`<a class="button wide" href="${portalPath()}">${toApprovals}</a>`
    : html`<a class="button wide" href="${portalPath(`jobs/${jobId}`)}">${toJob}</a>`;
}

function pendingContent(
  language: Language,
  { secret, uri, lockedUntilMs }: Extract<EnrolmentView, { state: 'pending' }>,
  refusal: CodeRefusal | undefined,
  jobId: string | undefined,
): Markup {
  const words = secondFactorWords(language);
  const invalid = refusal ? html` aria-invalid="true" aria-describedby="refusal"` : html``;
  return html`<section>
<h2>${words.scan}</h2>
${qrCode(uri, words.qrCode)}
<p>${words.orType}</p>
<p class="key"><code>${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
<p><a href="${uri}">${words.onPhone}</a></p>
<p class="faint">${words.keepSecret}</p>
</section>
<section>
<h2>${words.confirm}</h2>
${refusal ? html`<div class="problem" id="refusal" role="alert"><p>${refusalText(language, refusal)}${lockedText(language, refusal, lockedUntilMs)}</p><p class="faint">${words.problemCode}: <code>${refusal}</code></p></div>` : ''}
<form class="confirmation" method="post" action="${secondFactorPath(jobId, '/confirmation')}">
<div class="field">
<label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,8}" maxlength="8" required${refusal ? html` autofocus` : ''}${invalid}>
</div>
<button class="button wide">${words.send}</button>
</form>
</section>
${beginForm(words.again, 'button quiet wide', jobId)}`;
}

function enrolledContent(language: Language, confirmedAtMs: number, jobId: string | undefined): Markup {
  const words = secondFactorWords(language);
  const minutes = settings['ApproverSecondFactor:WindowMinutes'];
  return html`<p>${words.since} ${timeOf(language, confirmedAtMs)}.</p>
<p>${minutes === 0 ? words.everyDecision : words.window(minutes)} ${words.once}</p>
<p class="faint">${words.reset}</p>
${wayBack(language, jobId)}`;
}
