import { html } from 'hono/html';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { badge, givenText } from '../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import type { Item, ItemFile, SigningPerson } from '../../../items/domain/item.ts';
import { KINDS } from '../../../items/domain/kinds.ts';
import { isAwaitingSignatures } from '../../../items/domain/problems.ts';
import { mayDo } from '../../../tenants/domain/members/permissions.ts';
import { besidePath, consolePath } from '../../pages/frame.ts';
import type { Visit } from '../../visit.ts';
import { knownOf } from './item-name.ts';
import { labelOf } from './words/field-words.ts';
import { itemWords } from './words/item-words.ts';
import { personWords } from './words/state-words.ts';

/** The files of an item, and for each the people who sign it and how far they are. */
export function filesPart(visit: Visit, item: Item): Markup {
  const words = itemWords(visit.language);
  return html`<section class="card stack" aria-labelledby="files-title" id="files" data-live-along>
<h2 id="files-title">${words.files}</h2>
${item.kind === 'restamp' ? tokenPart(visit, item) : item.files.length === 0 ? html`<p class="note">${words.noFiles}</p>` : ''}
${item.files.map((file) => filePart(visit, item, file))}
</section>`;
}

const tokenPart = ({ language }: Visit, item: Item): Markup => {
  const words = itemWords(language);
  return knownOf(item).tokenSha256
    ? html`<p><a href="${besidePath(`contents/restamps/${item.id}/token`)}" download>${words.token}</a></p>`
    : html`<p class="note">${words.noFiles}</p>`;
};

function filePart(visit: Visit, item: Item, file: ItemFile): Markup {
  const { language } = visit;
  const words = itemWords(language);
  const { name, signed, document } = file;
  const path = besidePath(`contents/${KINDS[item.kind].path}/${item.id}/${name}`);
  return html`<div class="item-file">
<h3>${labelOf(name, language)}</h3>
${document?.people ? html`<ul class="plain">${document.people.map((person) => personPart(visit, person, isAwaitingSignatures(item)))}</ul>` : ''}
${!document && isAwaitingSignatures(item) ? html`<p class="faint">${words.notHandedOver}</p>` : ''}
${signed ? html`<p class="faint">${words.signedAt} ${timeOf(language, signed.atMs)}</p>` : ''}
<p class="actions">${signed ? html`<a class="button quiet" href="${path}/Signed" download>${words.signedFile}</a>` : ''}
<a class="button quiet" href="${path}/Original" download>${words.original}</a></p>
${signed && mayDo(visit.member.role, 'items.create') ? restampForm(visit, item, name) : ''}
</div>`;
}

const TONES: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  ...{ Completed: 'good', Pending: 'warn', Refused: 'bad' },
};

/** Whoever has the link may also refuse in the name of its person. */
function personPart(
  { language, member }: Visit,
  { name, status, url }: SigningPerson,
  isOpen: boolean,
): Markup {
  const words = personWords(language) as Readonly<Record<string, string>>;
  return html`<li>${givenText(name)} ${badge(words[status] ?? status, TONES[status] ?? 'neutral')}
${url && isOpen && mayDo(member.role, 'items.change') ? html`<a href="${url}" rel="noreferrer" target="_blank">${givenText(itemWords(language).signPage(name))}</a>` : ''}</li>`;
}

const restampForm = ({ language }: Visit, { kind, id }: Item, identifier: string): Markup =>
  html`<form method="post" action="${consolePath('restamps/request')}">
<input type="hidden" name="documentType" value="${KINDS[kind].family}"><input type="hidden" name="documentId" value="${id}"><input type="hidden" name="identifier" value="${identifier}">
<button class="button quiet">${itemWords(language).restamp}</button></form>`;
