import { paging } from '../../../../../shared/http/request/list-query.ts';
import type { EventsRequest } from '../../../operations/domain/list-events.ts';
import { EVENT_TYPES, type EventType } from '../../../operations/event-types.ts';
import { settings } from '../../../settings.ts';
import { endOfDate, isDate, startOfDate } from '../../pages/day-range.ts';
import { queryText, type Visit } from '../../visit.ts';

/** The filters as the address of the page has them. */
export type EventFilters = Readonly<Record<(typeof NAMES)[number], string>>;

const NAMES = ['type', 'text', 'from', 'to', 'page'] as const;

/** What is wrong with a filter, by its name. */
export type EventProblems = { readonly [Name in keyof EventFilters]?: EventProblem };
type EventProblem = 'unknownType' | 'noDate' | 'beforeFrom' | 'tooLong' | 'tooMany' | 'noPage';

const PAGE_SIZE = 50;
export const MAX_TEXT_CHARACTERS = 200;

type ReadFilters = {
  readonly filters: EventFilters;
  readonly problems: EventProblems;
  /** Undefined where a filter does not hold. */
  readonly request: EventsRequest | undefined;
};

/** Reads the filters of the page. A day is one where payments are made, as the times on the page are. */
export function readFilters(visit: Pick<Visit, 'query'>): ReadFilters {
  const filters = Object.fromEntries(
    NAMES.map((name) => [name, queryText(visit, name).trim()]),
  ) as EventFilters;
  const { type, text, from, to } = filters;
  const timeZone = settings['Cnab240:TimeZone'];
  const fromMs = isDate(from) ? startOfDate(timeZone, from) : undefined;
  const untilMs = isDate(to) ? endOfDate(timeZone, to) : undefined;
  const { data: page } = paging.page.safeParse(filters.page || undefined);
  const isType = Object.hasOwn(EVENT_TYPES, type);
  const problems: EventProblems = {
    ...(type !== '' && !isType && { type: 'unknownType' }),
    ...(text.length > MAX_TEXT_CHARACTERS && { text: 'tooLong' }),
    ...(from !== '' && fromMs === undefined && { from: 'noDate' }),
    ...(fromMs !== undefined && untilMs !== undefined && untilMs <= fromMs && { to: 'beforeFrom' }),
    ...(to !== '' && untilMs === undefined && { to: 'noDate' }),
    ...(page === undefined && { page: 'noPage' }),
  };
  if (page === undefined || Object.keys(problems).length > 0)
    return { filters, problems, request: undefined };
  return {
    filters,
    problems,
    request: {
      ...(isType && { type: type as EventType }),
      ...(text !== '' && { text }),
      ...(fromMs !== undefined && { fromMs }),
      ...(untilMs !== undefined && { untilMs }),
      page,
      pageSize: PAGE_SIZE,
    },
  };
}
