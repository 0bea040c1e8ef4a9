import { html } from 'hono/html';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { hasMailServer } from '../../../../../shared/mail/queue.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { factList, givenText } from '../../../../../shared/ui/parts.ts';
import { formatDay } from '../../../../../shared/ui/time.ts';
import { deadlineOf } from '../../../domain/calendar.ts';
import { sendsMail } from '../../../domain/document/mail-announcement.ts';
import type { Draft } from '../../../domain/drafts/draft.ts';
import { type DraftProblem, problemsOf } from '../../../domain/drafts/draft-request.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import { settings } from '../../../settings.ts';
import { consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import type { Visit } from '../../visit.ts';
import { flowPicture } from './flow-picture.ts';
import { languageFact } from './language-field.ts';
import { sendWords } from './words.ts';

/** What a draft will be, and the button that sends it; or what is missing. */
export function reviewPage(
  visit: Visit,
  draft: Stored<Draft>,
  folderName: string | undefined,
  refused?: Refusal,
): Promise<Answer> {
  const { language, nowMs } = visit;
  const words = sendWords(language);
  const problems = problemsOf(draft, nowMs);
  const path = `send/${draft.id}`;
  return memberPage(visit, {
    title: words.reviewTitle,
    current: 'send',
    address: consolePath(`${path}/review`),
    status: refused?.status ?? 200,
    styles: ['documents-send.css'],
    done: { mail: words.mailIsOn },
    body: html`<h1>${words.reviewTitle}</h1>
${sendsMail(visit.organization) ? '' : mailNote(visit, path)}
${refused ? html`<div class="problem" role="alert"><p>${refusalText(refused, language)}</p></div>` : ''}
${problems.length === 0 ? '' : html`<div class="problem" role="alert"><p>${words.missing}</p><ul>${problems.map((problem) => html`<li>${problemText(problem, language)}</li>`)}</ul></div>`}
<section class="card stack" aria-labelledby="files-title">
<h2 id="files-title">${words.files}</h2>
<ul class="plain">${draft.files.map(({ title }) => html`<li>${givenText(title)}</li>`)}</ul>
${factList([
  [words.folder, folderName === undefined ? '' : givenText(folderName)],
  [
    words.deadline,
    draft.deadline === '' || problems.length > 0 ? '' : formatDay(language, deadlineOf(draft.deadline)),
  ],
  languageFact(language, draft.language),
  [words.message, draft.message === '' ? '' : html`<span class="lines">${givenText(draft.message)}</span>`],
])}
</section>
${flowPicture(draft, language)}
${sendsMail(visit.organization) ? html`<p class="faint">${words.youAreTold(visit.member.email)}</p>` : ''}
<div class="actions">
<a class="button quiet" href="${consolePath(path)}">${words.goBack}</a>
<a class="button quiet" href="${consolePath(`${path}/marks`)}">${words.placeMarks}</a>
${
  problems.length > 0
    ? ''
    : html`<form method="post" action="${consolePath(`${path}/send`)}"><input type="hidden" name="version" value="${draft.version}">
<button class="button">${draft.files.length === 1 ? words.send : words.sendMany(draft.files.length)}</button></form>`
}
</div>`,
  });
}

/** Whoever sends expects that people are told. */
function mailNote({ language, member }: Visit, path: string): Markup {
  const words = sendWords(language);
  const mayTurnOn = hasMailServer(settings) && mayDo(member.role, 'organization.change');
  return html`<div class="warning stack"><p>${words.mailIsOff}</p>${
    mayTurnOn
      ? html`<form method="post" action="${consolePath(`${path}/mail`)}"><button class="button quiet">${words.mailOn}</button></form>`
      : ''
  }</div>`;
}

/** What is missing or wrong, in words. */
export function problemText({ code, about = '' }: DraftProblem, language: Language): Markup {
  const words = sendWords(language);
  const texts = {
    noFiles: words.missingFiles,
    noPeople: words.missingPeople,
    noName: words.missingName(about),
    wrongIdentifier: words.wrongIdentifier(about),
    wrongEmail: words.wrongEmail(about),
    noEmail: words.missingEmail(about),
    noAddressForCode: words.missingAddressForCode(about),
    companyApproves: words.companyApproves(about),
    companyElectronic: words.companyElectronic(about),
    companyInGroup: words.companyInGroup(about),
    tooManyRequired: words.tooManyRequired(about),
    deadlinePassed: words.deadlinePassed,
    other: words.other(about),
  };
  return givenText(texts[code]);
}
