import { html } from 'hono/html';
import type { FieldProblem } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { timeOf } from '../../../config/page-format.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import { showProfile } from '../../../profiles/domain/render-profile.ts';
import type { Sentence } from '../../../sentences/sentences.ts';
import { noticeBox, noticeOf } from '../../pages/certificate-warning.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { confirmed, factList, problemBox, textField } from '../../pages/parts.ts';
import { givenText, recordedText } from '../../pages/text.ts';
import { queryText, type Visit } from '../../visit.ts';
import { cloudCard, cloudOutcome } from './cloud-card.ts';
import { editorFields } from './editor/editor.ts';
import { labelOf } from './editor/editor-words.ts';
import { problemText } from './editor/problem-words.ts';
import { type EditorValues, NEW_PROFILE, valuesOf } from './editor/values.ts';
import { type ProfileWords, profileWords } from './profile-words.ts';
import { type ShownProfile, stateBadges } from './profiles-page.ts';

/** A form that was refused: what it had, and what is wrong with it. */
export type Refused = {
  readonly status?: number;
  /** Of the whole form. */
  readonly problem?: string;
  readonly values?: EditorValues;
  readonly fields?: readonly FieldProblem[];
  /** Of the key that was to be imported. */
  readonly key?: { readonly file?: string; readonly password?: string };
};

/** One profile: its state, what can be done with it, its key, and the editor. */
export async function profilePage(visit: Visit, profile: Profile, refused?: Refused): Promise<Answer> {
  const words = profileWords(visit.language);
  const shown = await showProfile(profile);
  const { name } = profile;
  const notice = noticeOf(shown, visit.nowMs);
  return operatorPage(visit, {
    title: name,
    current: 'profiles',
    ...(refused && { status: refused.status ?? 400, address: dashboardPath(`profiles/${name}`) }),
    done: {
      saved: words.savedDone,
      created: words.createdDone,
      enabled: words.enabledDone,
      disabled: words.disabledDone,
      default: words.defaultDone,
      ...(notice ? {} : { key: words.keyDone }),
    },
    body: html`<p><a href="${dashboardPath('profiles')}">${words.title}</a></p>
<h1>${givenText(name)}</h1>
${problemsBox(visit, refused, words)}
${cloudOutcome(visit)}
${notice ? noticeBox(visit.language, notice, queryText(visit, 'done') === 'key' ? words.keyDone : '') : ''}
${stateCard(visit, profile, shown, words)}
${profile.cloudCertificate ? cloudCard(visit, profile) : keyForm(name, refused, words)}
<form class="stack" method="post" action="${dashboardPath(`profiles/${name}/save`)}">
<input type="hidden" name="version" value="${profile.version}">
${editorFields({
  language: visit.language,
  values: refused?.values ?? valuesOf(profile),
  problems: refused?.fields ?? [],
  keeps: !profile.encryption ? 'nothing' : 'certificate' in profile.encryption ? 'certificate' : 'password',
})}
<div class="actions"><button class="button">${words.save}</button></div>
</form>`,
  });
}

/** The editor of a profile that is not there yet. */
export function newProfilePage(visit: Visit, refused?: Refused): Promise<Answer> {
  const words = profileWords(visit.language);
  const values = refused?.values ?? NEW_PROFILE;
  const problems = refused?.fields ?? [];
  const ofName = problems.find(({ field }) => field === 'name');
  return operatorPage(visit, {
    title: words.newProfile,
    current: 'profiles',
    ...(refused && { status: refused.status ?? 400, address: dashboardPath('new-profile') }),
    body: html`<p><a href="${dashboardPath('profiles')}">${words.title}</a></p>
<h1>${words.newProfile}</h1>
${problemsBox(visit, refused, words)}
<form class="stack" method="post" action="${dashboardPath('profiles/new')}">
<section class="card">${textField({
      id: 'name',
      label: words.name,
      value: values.texts.name ?? '',
      hint: words.nameHint,
      problem: ofName && textOf(visit, ofName, words),
      attributes: html` required maxlength="40" autocomplete="off" spellcheck="false" autocapitalize="none"`,
    })}</section>
${editorFields({ language: visit.language, values, problems, keeps: 'nothing' })}
<div class="actions"><button class="button">${words.create}</button></div>
</form>`,
  });
}

/** The problem of a name that another profile has. */
export const NAME_TAKEN = 'name-taken';

const textOf = ({ language }: Visit, problem: FieldProblem, words: ProfileWords): string =>
  problem.message === NAME_TAKEN ? words.nameTaken : problemText(language, problem);

/** What is wrong, with links to the fields. */
function problemsBox(visit: Visit, refused: Refused | undefined, words: ProfileWords): Markup | '' {
  if (!refused?.fields?.length) return problemBox(refused?.problem);
  return html`<div class="problem" role="alert"><p>${words.problems}</p>
<ul>${refused.fields.map(
    (problem) =>
      html`<li><a href="#${problem.field}">${labelOf(visit.language, problem.field)}</a>: ${textOf(visit, problem, words)}</li>`,
  )}</ul></div>`;
}

/** The page itself has the form that gives it one. */
const isKeyless = (reason: Sentence): boolean =>
  typeof reason === 'object' && reason.code === 'degraded.no-key';

function stateCard(visit: Visit, profile: Profile, shown: ShownProfile, words: ProfileWords): Markup {
  const { certificate, encryption, degradedReason } = shown;
  const action = (path: string, text: string): Markup =>
    html`<form method="post" action="${dashboardPath(`profiles/${profile.name}/${path}`)}"><button class="button quiet">${text}</button></form>`;
  return html`<section class="card stack" aria-label="${words.state}">
<p>${stateBadges(visit, shown, words)}</p>
${degradedReason === null ? '' : html`<p class="problem">${isKeyless(degradedReason) ? words.noKey : recordedText(visit.language, degradedReason)}</p>`}
${profile.approval && !profile.checkCnab240 ? html`<p class="note">${words.unmeasured}</p>` : ''}
${factList([
  [words.certificate, certificate ? givenText(certificate.subject) : words.noCertificate],
  [words.issuer, certificate ? givenText(certificate.issuer) : ''],
  [words.serialNumber, certificate ? html`<code>${certificate.serialNumber}</code>` : ''],
  [words.until, certificate ? timeOf(visit.language, Date.parse(certificate.notAfter)) : ''],
  [words.recipient, encryption?.certificate ? givenText(encryption.certificate.subject) : ''],
])}
<div class="actions">
${profile.enabled ? action('disable', words.disable) : action('enable', words.enable)}
${profile.default || profile.method === 'SignerFolder' ? '' : action('default', words.makeDefault)}
${
  profile.default
    ? ''
    : confirmed({
        summary: words.remove,
        explanation: words.removeMeans,
        button: words.removeNow,
        action: dashboardPath(`profiles/${profile.name}/remove`),
      })
}
</div></section>`;
}

const keyForm = (name: string, refused: Refused | undefined, words: ProfileWords): Markup =>
  html`<form class="card stack" method="post" enctype="multipart/form-data" action="${dashboardPath(`profiles/${name}/key`)}">
<h2>${words.key}</h2>
<div class="row">
${textField({
  id: 'key-file',
  name: 'file',
  label: words.keyFile,
  problem: refused?.key?.file,
  attributes: html` type="file" accept=".p12,.pfx,application/x-pkcs12" required`,
})}
${textField({
  id: 'key-password',
  name: 'password',
  label: words.keyPassword,
  problem: refused?.key?.password,
  attributes: html` type="password" autocomplete="off"`,
})}
</div>
<p class="faint">${words.keyHint}</p>
<div class="actions"><button class="button">${words.importKey}</button></div>
</form>`;
