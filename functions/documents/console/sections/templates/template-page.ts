import { html } from 'hono/html';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { confirmed, factList, givenText, textField } from '../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import { findTemplate, renderDetails, type Template } from '../../../domain/templates/template.ts';
import { draftPartsOf } from '../../../domain/templates/template-draft.ts';
import { consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import type { Form, Visit } from '../../visit.ts';
import { flowPicture } from '../send/flow-picture.ts';
import { languageFact } from '../send/language-field.ts';
import { templateWords } from './words.ts';

type Facts = Parameters<typeof factList>[0];

type UseNews = { readonly refused: Refusal; readonly form: Form };

/** A template: who acts when, and what can be made of it. */
export async function templatePage(visit: Visit, id: string, news?: UseNews): Promise<Answer> {
  const { language, caller, member } = visit;
  const words = templateWords(language);
  const template = await findTemplate(caller, id);
  const path = (name: string): string => consolePath(`templates/${id}/${name}`);
  return memberPage(visit, {
    title: template.name,
    current: 'templates',
    address: consolePath(`templates/${id}`),
    status: news?.refused.status ?? 200,
    styles: ['documents-send.css'],
    done: { stored: words.stored },
    body: html`<h1>${givenText(template.name)}</h1>
${templateFacts(visit, template)}
${
  mayDo(member.role, 'documents.send')
    ? html`${useForm(visit, renderDetails(template).values, path('use'), news)}
<section class="card stack" aria-labelledby="many-title">
<h2 id="many-title">${words.many}</h2>
<p class="faint">${words.manyHint}</p>
<form method="post" action="${path('table')}"><button class="button quiet">${words.manyBegin}</button></form>
</section>`
    : ''
}
<div class="actions"><a class="button quiet" href="${consolePath('templates')}">${words.back}</a>
${template.revision === 1 ? '' : html`<a class="button quiet" href="${consolePath(`templates/versions/${id}`)}">${words.versions}</a>`}
${mayDo(member.role, 'templates.change') ? html`<form method="post" action="${path('edit')}"><button class="button quiet">${words.edit}</button></form>` : ''}</div>
${
  mayDo(member.role, 'templates.change')
    ? confirmed({
        id: 'delete-template',
        summary: words.remove,
        explanation: words.removeExplained,
        button: words.remove,
        action: path('delete'),
      })
    : ''
}`,
  });
}

/** What a template says, and the picture of its flow. */
export function templateFacts({ language }: Visit, template: Template, more: Facts = []): Markup {
  const words = templateWords(language);
  const { content, revision, updatedAtMs } = template;
  const { expiresAfterDays, documentName, description } = content;
  return html`${factList([
    [words.version, String(revision)],
    [words.changed, timeOf(language, updatedAtMs)],
    ...more,
    [words.documentName, !documentName ? '' : givenText(documentName)],
    [words.deadline, expiresAfterDays === null ? '' : words.days(expiresAfterDays)],
    languageFact(language, content.language),
    [words.message, !description ? '' : html`<span class="lines">${givenText(description)}</span>`],
  ])}
${flowPicture(draftPartsOf(content), language)}`;
}

/** One field for each value that the template names. */
function useForm(
  { language }: Visit,
  values: readonly string[],
  action: string,
  news: UseNews | undefined,
): Markup {
  const words = templateWords(language);
  return html`<section class="card stack" aria-labelledby="use-title">
<h2 id="use-title">${words.use}</h2>
<p class="faint">${words.useHint}</p>
${news ? html`<div class="problem" role="alert"><p>${news.refused.code === 'InvalidRequest' ? words.someRole : refusalText(news.refused, language)}</p></div>` : ''}
<form class="stack" method="post" action="${action}">
${values.map((name, at) => html`${textField({ id: `value-${at}`, name: `value:${name}`, label: name, value: news?.form.text(`value:${name}`) ?? '', attributes: html` maxlength="2000" autocomplete="off"` })}`)}
<p><button class="button">${words.goOn}</button></p>
</form>
</section>`;
}
