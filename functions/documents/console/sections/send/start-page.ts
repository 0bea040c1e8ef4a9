import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { givenText } from '../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import type { Draft } from '../../../domain/drafts/draft.ts';
import { consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import type { Visit } from '../../visit.ts';
import { type UploadWays, uploadForm } from './upload-form.ts';
import { sendWords } from './words.ts';

/** Where sending begins: files make a new draft, and those that were begun are below. */
export function startPage(visit: Visit, drafts: readonly Draft[], ways: UploadWays): Promise<Answer> {
  const { language } = visit;
  const words = sendWords(language);
  return memberPage(visit, {
    title: words.title,
    current: 'send',
    styles: ['documents-send.css'],
    scripts: ['documents-send.js'],
    connectsTo: ways.storeOrigin ? [ways.storeOrigin] : [],
    done: { deleted: words.deleted },
    body: html`<h1>${words.title}</h1>
<p class="faint">${words.intro}</p>
${uploadForm(visit, 'new', ways)}
<section class="card stack" aria-labelledby="drafts-title">
<h2 id="drafts-title">${words.drafts}</h2>
${
  drafts.length === 0
    ? html`<p class="faint">${words.noDrafts}</p>`
    : html`<ul class="plain">${drafts.map(
        ({ id, files, updatedAtMs }) =>
          html`<li><a href="${consolePath(`send/${id}`)}">${files.length === 0 ? words.untitled : givenText(files.map(({ title }) => title).join(', '))}</a>
<span class="faint">${timeOf(language, updatedAtMs)}</span></li>`,
      )}</ul>`
}
</section>`,
  });
}
