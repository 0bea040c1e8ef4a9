import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { givenText } from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import { findTemplate, findVersion, versionsOf } from '../../../domain/templates/template.ts';
import { consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import type { Visit } from '../../visit.ts';
import { templateFacts } from './template-page.ts';
import { templateWords } from './words.ts';

type Listed = ReturnType<typeof versionsOf>[number];

/** The versions of a template: who made each, and when. */
export async function versionsPage(visit: Visit, id: string): Promise<Answer> {
  const { language, caller } = visit;
  const words = templateWords(language);
  const template = await findTemplate(caller, id);
  const [path, present] = [consolePath(`templates/versions/${id}`), consolePath(`templates/${id}`)];
  const columns: readonly Column<Listed>[] = [
    {
      title: words.version,
      kind: 'file',
      cell: ({ revision }) =>
        revision === template.revision
          ? html`<a href="${present}">${revision}</a> <span class="faint">${words.present}</span>`
          : html`<a href="${path}/${revision}">${revision}</a>`,
    },
    { title: words.templateName, kind: 'wide', cell: ({ name }) => givenText(name) },
    { title: words.madeBy, kind: 'text', cell: ({ by }) => givenText(by.name) },
    { title: words.changed, kind: 'text', cell: ({ atMs }) => timeOf(language, atMs) },
  ];
  return memberPage(visit, {
    title: words.versions,
    current: 'templates',
    address: path,
    body: html`<p class="faint"><a href="${present}">${givenText(template.name)}</a></p>
<h1>${words.versions}</h1>
${renderTable(columns, versionsOf(template).toReversed())}`,
  });
}

/** A template as it was in an earlier version, to be read and used again. */
export async function versionPage(visit: Visit, id: string, version: string): Promise<Answer> {
  const { language, caller, member } = visit;
  const words = templateWords(language);
  const template = await findVersion(caller, id, Number(version));
  const path = consolePath(`templates/versions/${id}`);
  const entry = versionsOf(template).find(({ revision }) => revision === template.revision);
  return memberPage(visit, {
    title: template.name,
    current: 'templates',
    address: `${path}/${template.revision}`,
    styles: ['documents-send.css'],
    body: html`<p class="faint"><a href="${path}">${words.versions}</a></p>
<h1>${givenText(template.name)}</h1>
${templateFacts(visit, template, [[words.madeBy, givenText(entry?.by.name ?? '')]])}
${
  mayDo(member.role, 'templates.change')
    ? html`<section class="card stack" aria-labelledby="again-title">
<h2 id="again-title">${words.useAgain}</h2>
<p class="faint">${words.useAgainHint}</p>
<form method="post" action="${path}/${template.revision}/use"><button class="button">${words.useAgain}</button></form>
</section>`
    : ''
}`,
  });
}
