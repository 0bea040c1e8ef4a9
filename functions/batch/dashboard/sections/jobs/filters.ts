import { Refusal } from '../../../../../shared/errors/errors.ts';
import { errors } from '../../../errors.ts';
import { JOB_SOURCES, type JobSource } from '../../../jobs/domain/job/job.ts';
import { type JobState, jobStates } from '../../../jobs/domain/job/states.ts';
import { JOB_SORTS, type JobSort, type SortedFilter } from '../../../jobs/domain/list-jobs.ts';
import { settings } from '../../../settings.ts';
import { endOfDate, isDate, startOfDate } from '../../pages/day-range.ts';
import type { Visit } from '../../visit.ts';

/** The filters of the list in the order of its form, by their names in the address. */
export const FILTERS = [
  'text',
  'status',
  'sort',
  'profile',
  'source',
  'error',
  'from',
  'to',
  'failedFrom',
  'failedTo',
] as const;
export type FilterName = (typeof FILTERS)[number];

const DATES = ['from', 'to', 'failedFrom', 'failedTo'] as const;

export const MAX_TEXT_CHARACTERS = 200;
// The specification's limit of a list.
const MAX_PAGE = 10_737_418;

/** What is wrong with a filter: the name of its text. */
export type FilterProblem =
  | 'unknownValue'
  | 'unknownProfile'
  | 'textTooLong'
  | 'noDate'
  | 'endsBefore'
  | 'onlyFailed';

export type Filters = {
  /** As they were given, empty where they were not. */
  readonly given: Readonly<Record<FilterName, string>>;
  readonly problems: Partial<Readonly<Record<FilterName, FilterProblem | 'tooMany'>>>;
  readonly filter: SortedFilter;
  readonly page: number;
  /** The filters that were given, for links to other pages of the list. */
  readonly query: URLSearchParams;
};

/** The filters in the address of the page. One that is not acceptable is a problem, never a wider list. */
export function readFilters({ query }: Pick<Visit, 'query'>): Filters {
  const valuesOf = (name: string): readonly string[] => [query[name] ?? []].flat();
  const given = Object.fromEntries(FILTERS.map((name) => [name, (valuesOf(name)[0] ?? '').trim()])) as Record<
    FilterName,
    string
  >;
  const { text, status, sort, profile, source, error, from, to, failedFrom, failedTo } = given;
  const problems: Partial<Record<FilterName, FilterProblem>> = {};
  for (const name of FILTERS) if (valuesOf(name).length > 1) problems[name] = 'unknownValue';
  if (text.length > MAX_TEXT_CHARACTERS) problems.text = 'textTooLong';
  if (status && !isState(status)) problems.status = 'unknownValue';
  if (sort && !isSort(sort)) problems.sort = 'unknownValue';
  if (source && !isSource(source)) problems.source = 'unknownValue';
  if (error && !Object.hasOwn(errors.rows, error)) problems.error = 'unknownValue';
  for (const name of DATES) if (given[name] && !isDate(given[name])) problems[name] = 'noDate';
  if (!problems.from && !problems.to && from && to && to < from) problems.to = 'endsBefore';
  if (!problems.failedFrom && !problems.failedTo && failedFrom && failedTo && failedTo < failedFrom)
    problems.failedTo = 'endsBefore';
  const isByFailure = failedFrom || failedTo || sort.endsWith('Failed');
  if (isByFailure && status && status !== 'Failed') problems.status ??= 'onlyFailed';
  const zone = settings['Cnab240:TimeZone'];
  const startOf = (name: 'from' | 'failedFrom') =>
    given[name] && !problems[name] ? startOfDate(zone, given[name]) : undefined;
  const endOf = (name: 'to' | 'failedTo') =>
    given[name] && !problems[name] ? endOfDate(zone, given[name]) : undefined;
  return {
    given,
    problems,
    filter: {
      text: text || undefined,
      status: isState(status) ? status : undefined,
      sort: isSort(sort) ? sort : undefined,
      profile: profile || undefined,
      source: isSource(source) ? source : undefined,
      error: error || undefined,
      fromMs: startOf('from'),
      untilMs: endOf('to'),
      failedFromMs: startOf('failedFrom'),
      failedUntilMs: endOf('failedTo'),
    },
    page: pageIn(valuesOf('page')[0]),
    query: new URLSearchParams(
      FILTERS.filter((name) => given[name] !== '').map((name): [string, string] => [name, given[name]]),
    ),
  };
}

const isState = (text: string): text is JobState => jobStates.states.some((state) => state === text);
const isSource = (text: string): text is JobSource => JOB_SOURCES.some((source) => source === text);
const isSort = (text: string): text is JobSort => JOB_SORTS.some((sort) => sort === text);

// A page that is no number is the first one: it comes from a field of the pager, and hides nothing.
const pageIn = (text = '1'): number => (/^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), MAX_PAGE) : 1);

/** The filters with what the search found wrong with them. Any other error is thrown. */
export function withRefusal(filters: Filters, error: unknown): Filters {
  const field =
    error instanceof Refusal && error.code === 'validation.filter-invalid' && error.fields[0]?.field;
  if (field === 'profile')
    return { ...filters, problems: { ...filters.problems, profile: 'unknownProfile' } };
  if (field === 'from') return { ...filters, problems: { ...filters.problems, from: 'tooMany' } };
  throw error;
}

/** The same filters for `GET /api/jobs/export`, whose days are those of UTC. */
export function apiQuery({ filter }: Filters): URLSearchParams {
  const { text, status, sort, profile, source, error, fromMs, untilMs, failedFromMs, failedUntilMs } = filter;
  const isoOf = (ms: number): string => new Date(ms).toISOString();
  return new URLSearchParams({
    ...(text && { text }),
    ...(status && { status }),
    ...(sort && { sort }),
    ...(profile && { profile }),
    ...(source && { source }),
    ...(error && { error }),
    ...(fromMs !== undefined && { from: isoOf(fromMs) }),
    // The last millisecond of the range: both ends are in it.
    ...(untilMs !== undefined && { to: isoOf(untilMs - 1) }),
    ...(failedFromMs !== undefined && { failedFrom: isoOf(failedFromMs) }),
    ...(failedUntilMs !== undefined && { failedTo: isoOf(failedUntilMs - 1) }),
  });
}
