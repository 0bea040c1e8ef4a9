import type { DocumentFilter } from '../../../contract/documents.ts';
import { queryText, type Visit } from '../../visit.ts';

/** The lists of the first page, in their order, and the status that each shows. */
export const VIEWS = {
  all: undefined,
  mine: undefined,
  pending: 'Pending',
  concluded: 'Concluded',
  refused: 'Refused',
  expired: 'Expired',
  canceled: 'Canceled',
} as const satisfies Readonly<Record<string, DocumentFilter | undefined>>;

export type ViewName = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];

/** What the address asks for. */
export type ListQuery = {
  readonly view: ViewName;
  readonly q: string;
  readonly folder: string;
  readonly page: number;
};

const MAX_PAGE = 1_000_000;

export const readQuery = (visit: Visit): ListQuery => ({
  view: VIEW_NAMES.find((name) => name === queryText(visit, 'view')) ?? 'all',
  q: queryText(visit, 'q').trim().slice(0, 200),
  folder: queryText(visit, 'folder').slice(0, 64),
  page: Math.min(MAX_PAGE, Math.max(1, Math.trunc(Number(queryText(visit, 'page'))) || 1)),
});

/** The query of a list without its page, as addresses have it: what is not asked for is left out. */
export const queryOf = ({ view, q, folder }: Omit<ListQuery, 'page'>): URLSearchParams =>
  new URLSearchParams({
    ...(view !== 'all' && { view }),
    ...(q !== '' && { q }),
    ...(folder !== '' && { folder }),
  });
