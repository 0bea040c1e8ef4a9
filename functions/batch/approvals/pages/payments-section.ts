import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { formatCount, formatDate } from '../../config/page-format.ts';
import { formatReais } from '../../jobs/domain/cnab240/figures.ts';
import type { ListedPayment } from '../../jobs/domain/cnab240/payments-list.ts';
import type { PaymentsPage } from '../domain/payments-page.ts';
import type { JobView } from './job-view.ts';
import { jobWords } from './job-words.ts';
import { portalPath } from './portal-frame.ts';

type Listed = Extract<PaymentsPage, { readonly outcome: 'listed' }>;
type Words = ReturnType<typeof jobWords>;

/** The address of a job's page with what is looked for and the page of its payments. */
export function pathOfPayments(jobId: string, { search = '', page = 1 }: Partial<Listed>): string {
  const query = new URLSearchParams({
    ...(search && { q: search }),
    ...(page > 1 && { page: String(page) }),
  });
  return `${portalPath(`jobs/${jobId}`)}${query.size > 0 ? `?${query}` : ''}`;
}

/** Every payment of the file, a page at a time, with a search that needs no script. */
export function paymentsSection({ language, job, standing, payments }: JobView): Markup {
  const words = jobWords(language);
  const isWaiting = standing === 'waiting';
  if (payments.outcome === 'changed')
    return html`<section class="problem" role="alert">
<h2>${words.changed}</h2>
<p>${isWaiting ? words.changedHint : words.changedEnded}</p>
</section>`;
  if (payments.outcome === 'gone')
    return isWaiting
      ? html`<section class="problem" role="alert"><p>${words.goneWaiting}</p></section>`
      : html`<p class="note">${words.gone}</p>`;
  return html`<section class="card payments" id="payments" aria-labelledby="payments-title">
<h2 id="payments-title">${words.payments}</h2>
${searchForm(job.id, payments, words, language)}
${payments.payments.length > 0 ? table(payments, words, language) : html`<p class="note">${payments.search ? words.noneFound : words.noPayments}</p>`}
${pagesMenu(job.id, payments, words, language)}
</section>`;
}

function searchForm(jobId: string, { search, found }: Listed, words: Words, language: Language): Markup {
  const count = formatCount(language, found.paymentCount + found.cancellationCount);
  return html`<form class="search" role="search" method="get" action="${portalPath(`jobs/${jobId}`)}#payments">
<div class="field">
<label for="q">${words.searchLabel}</label>
<input id="q" name="q" type="search" value="${search}" maxlength="100" autocomplete="off">
</div>
<button class="button quiet">${words.search}</button>
</form>
${search ? html`<p role="status">${words.found(count, found.totalFormatted)} · <a href="${pathOfPayments(jobId, {})}#payments">${words.clear}</a></p>` : ''}`;
}

// The roles are written out: a browser takes those of a table away with its layout.
function table({ payments }: Listed, words: Words, language: Language): Markup {
  const heading = (title: string, kind: string) =>
    html`<th role="columnheader" scope="col" class="${kind}">${title}</th>`;
  return html`<table class="rows paid" role="table">
<thead role="rowgroup"><tr role="row">
${heading(words.payee, 'file')}${heading(words.to, 'text')}${heading(words.date, 'date')}${heading(words.value, 'total')}
</tr></thead>
<tbody role="rowgroup">
${payments.map((payment) => row(payment, words, language))}</tbody>
</table>`;
}

const row = (payment: ListedPayment, words: Words, language: Language): Markup => {
  const { payee, document, included, segment, date, centavos } = payment;
  return html`<tr role="row"${included ? '' : html` class="canceling"`}>
<td role="cell" class="file">${payee || words.unnamed}${document ? html` <span class="faint">${document.kind} ${document.shown}</span>` : ''}</td>
<td role="cell" class="text" data-label="${words.to}"><span>${words[`kind${segment}`]}</span> <span class="faint">${destination(payment, words)}</span></td>
<td role="cell" class="date" data-label="${words.date}">${formatDate(language, date)}</td>
<td role="cell" class="total">${formatReais(centavos)}${included ? '' : html` <span class="badge">${words.cancels}</span>`}</td>
</tr>
`;
};

function destination({ segment, account, barcode }: ListedPayment, words: Words): Markup | string {
  if (barcode) return html`${words.barcode} <code>${barcode}</code>`;
  if (account)
    return `${words.bank} ${account.bank}, ${words.branch} ${account.branch}, ${words.account} ${account.account}`;
  return segment === 'N' ? '' : words.noAccount;
}

function pagesMenu(jobId: string, listed: Listed, words: Words, language: Language): Markup | '' {
  const { page, pageCount } = listed;
  if (pageCount < 2) return '';
  const link = (to: number, text: string) =>
    to < 1 || to > pageCount
      ? html`<span></span>`
      : html`<a class="button quiet" href="${pathOfPayments(jobId, { ...listed, page: to })}#payments">${text}</a>`;
  return html`<nav class="pages" aria-label="${words.pages}">
${link(page - 1, words.previous)}
<span>${words.page(formatCount(language, page), formatCount(language, pageCount))}</span>
${link(page + 1, words.next)}
</nav>`;
}
