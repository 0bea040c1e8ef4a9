import { html } from 'hono/html';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { BULK_KINDS, type BulkKind } from '../../../jobs/domain/bulk/bulk.ts';
import { BULK_STATES } from '../../../jobs/domain/bulk/start-bulk.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { bulkLinkWords, bulkWords } from './bulk-words.ts';
import type { Filters } from './filters.ts';

/** The actions on all jobs of a list. Each leads to its preview: nothing is changed before somebody confirms a number. */
export function bulkLinks(language: Language, { filter, query }: Filters): Markup {
  const words = bulkWords(language);
  const { status } = filter;
  const isByFailure = filter.failedFromMs !== undefined || filter.failedUntilMs !== undefined;
  const isOffered = (kind: BulkKind): boolean =>
    status ? BULK_STATES[kind].includes(status) : !isByFailure || BULK_STATES[kind].includes('Failed');
  const links = BULK_KINDS.filter(isOffered).map(
    (kind) =>
      html`<a href="${dashboardPath(`jobs/bulk/new?${new URLSearchParams([['action', kind], ...query])}`)}">${bulkLinkWords(language)[kind]}</a>`,
  );
  return html`<p class="bulk-links">${links} <a href="${dashboardPath('jobs/bulk')}">${words.recent}</a></p>`;
}
