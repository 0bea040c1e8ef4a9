import { html } from 'hono/html';
import { basePathOf } from '../../../../../shared/access/return-path.ts';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { badge, factList, givenText, problemBox } from '../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { findByCode } from '../../../items/domain/codes.ts';
import type { RestampData } from '../../../items/domain/data.ts';
import { readHistory } from '../../../items/domain/history.ts';
import { type Item, requireItem } from '../../../items/domain/item.ts';
import { KINDS, type KindName } from '../../../items/domain/kinds.ts';
import { problemsOf } from '../../../items/domain/problems.ts';
import { kindOf } from '../../../restamps/domain/chain.ts';
import { isInScope } from '../../../tenants/domain/organization.ts';
import { consolePath } from '../../pages/frame.ts';
import { kindWords } from '../../pages/kind-words.ts';
import { memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import type { Visit } from '../../visit.ts';
import { actionsPart, type SentChange } from './item-actions.ts';
import { filesPart } from './item-files.ts';
import { itemName, knownOf } from './item-name.ts';
import { adviceText, problemMarkup } from './words/advice-words.ts';
import { formWords, labelOf, valueText } from './words/field-words.ts';
import { itemWords } from './words/item-words.ts';
import { eventText, stateText, toneOf } from './words/state-words.ts';

/** The item that an address names, if it is of the organization. */
export const findItem = ({ caller }: Visit, kind: KindName, id: string) =>
  requireItem(kind, id, ({ organizationId }) => isInScope(caller, organizationId));

/** Why a form of the page did nothing. */
type ItemNews = { readonly refused?: Refusal; readonly sent?: SentChange | undefined };

/** An item: what it is, its files and who signs them, what happened, and what can be done. */
export async function itemPage(
  visit: Visit,
  kind: KindName,
  id: string,
  news: ItemNews = {},
): Promise<Answer> {
  const { language } = visit;
  const { refused } = news;
  const sent = news.sent && withFieldOf(refused, news.sent);
  const isWrong = sent !== undefined && sent.wrong.length > 0;
  const words = itemWords(language);
  const item = await findItem(visit, kind, id);
  const address = consolePath(`${KINDS[kind].path}/${id}`);
  return memberPage(visit, {
    title: itemName(item, language),
    current: kind,
    address,
    styles: ['credentials-items.css'],
    ...((refused || isWrong) && { status: refused?.status ?? 422 }),
    done: {
      ...{ created: words.doneCreated, changed: words.doneChanged },
      ...{ resent: words.doneResent, 'handed-over': words.doneHandedOver },
    },
    body: html`<p class="faint"><a href="${consolePath(KINDS[kind].path)}">${kindWords(kind, language).many}</a></p>
<h1>${givenText(itemName(item, language))}</h1>
${refused && refused.code !== 'InvalidFields' ? problemBox(refusalText(refused, language), refused.code) : ''}
${isWrong ? problemBox(formWords(language).wrong) : ''}
<div class="stack" id="state" data-live="3" data-address="${address}">
<p>${badge(stateText(kind, item.state, language), toneOf(item.state))}</p>
${problemsOf(item).map((problem) => html`<div class="problem" role="alert"><p>${adviceText(item, problem, language)}</p><p class="faint">${problemMarkup(problem, language)}</p></div>`)}
</div>
<div class="item-columns">
<div class="item-side">
<section class="card" id="facts" data-live-along>${await factsOf(visit, item)}</section>
${filesPart(visit, item)}
</div>
<div class="item-side">
${await actionsPart(visit, item, sent)}
${await historyPart(language, item)}
</div>
</div>`,
  });
}

/** The field that a refusal is about does not hold. */
function withFieldOf(refused: Refusal | undefined, sent: SentChange): SentChange {
  if (refused?.code === 'CancellationReasonMismatch') return { ...sent, wrong: ['cancellationReason'] };
  return refused?.code === 'InvalidFields' ? { ...sent, wrong: [String(refused.details?.field)] } : sent;
}

// By the names of the contract, in the order of the page. Ids and times have facts of their own.
const FACTS = [
  ...['studentName', 'studentSocialName', 'studentCpf', 'course', 'code', 'type'],
  ...['issuingIes', 'issuingIesCode', 'registeringIes', 'iesName', 'iesCode', 'sequenceNumber'],
  ...['startDate', 'endDate', 'annulledDegreesNumber', 'inspectedDegreesNumber', 'description'],
  ...['identifier', 'attempts', 'validationCode', 'version'],
] as const;

async function factsOf({ language }: Visit, item: Item): Promise<Markup> {
  const words = itemWords(language);
  const known = knownOf(item);
  const facts = FACTS.map((name): [string, Markup | string] => {
    const value = known[name];
    if (value === null || value === undefined) return [labelOf(name, language), ''];
    const text = name === 'type' ? valueText(String(value), language) : String(value);
    return [labelOf(name, language), givenText(name === 'identifier' ? labelOf(text, language) : text)];
  });
  const { registrationStatus } = known;
  return factList([
    ...facts,
    [
      labelOf('registrationStatus', language),
      typeof registrationStatus === 'string' ? stateText('registration', registrationStatus, language) : '',
    ],
    [labelOf('verificationCode', language), await codeLink(item)],
    [words.related, relatedLinks(item, language)],
    [words.cancellationReason, item.cancellationReason ? givenText(item.cancellationReason) : ''],
    [words.reason, item.reason ? givenText(item.reason) : ''],
    [words.created, timeOf(language, item.createdAtMs)],
    [words.changed, timeOf(language, item.updatedAtMs)],
  ]);
}

/** The code, which leads to the page that anybody sees. A request has its code before anybody can look it up. */
async function codeLink(item: Item): Promise<Markup | ''> {
  const { verificationCode: code } = knownOf(item);
  if (typeof code !== 'string') return '';
  return (await findByCode(code))
    ? html`<a href="${basePathOf('credentials')}/verify/${code}" target="_blank" rel="noopener">${code}</a>`
    : html`${code}`;
}

/** The other items that an item names. The one of another organization is not shown by its link. */
function relatedLinks(item: Item, language: Language): Markup | '' {
  const known = knownOf(item);
  const named: (readonly [KindName, unknown])[] = [
    ['transcript', known.transcriptId],
    ['degree', known.degreeId],
    ...(item.kind === 'degree' ? ([['emission', known.emissionId]] as const) : []),
    ...(item.kind === 'restamp'
      ? ([[kindOf((item as Item<RestampData>).data.documentType), known.documentId]] as const)
      : []),
  ];
  const links = named.flatMap(([kind, id]) =>
    typeof id === 'string'
      ? [
          html`<li><a href="${consolePath(`${KINDS[kind].path}/${id}`)}">${kindWords(kind, language).one}</a></li>`,
        ]
      : [],
  );
  return links.length === 0 ? '' : html`<ul class="plain">${links}</ul>`;
}

async function historyPart(language: Language, item: Item): Promise<Markup> {
  const words = itemWords(language);
  const entries = await readHistory(item);
  return html`<section class="card stack" aria-labelledby="history-title" id="history" data-live-along>
<h2 id="history-title">${words.history}</h2>
<ol class="history">${entries.map(
    ({ atMs, event, by, reason, cancellationReason }) =>
      html`<li>${eventText(event, language)}${by ? html` ${givenText(words.by(by))}` : ''}<br><span class="faint">${timeOf(language, atMs)}</span>
${[cancellationReason, reason].map((text) => (text ? html`<p>${givenText(text)}</p>` : ''))}</li>`,
  )}</ol>
</section>`;
}
