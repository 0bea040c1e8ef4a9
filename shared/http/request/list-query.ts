import * as z from 'zod';

// Query parameters of the lists of both batch surfaces. Their queries are strict (`invalidQuery` in service.ts): what
// these do not accept, an unknown name, a repeated and an empty value are refused with validation.filter-invalid.

/** The specification's limits of a list. */
const MAX_PAGE = 10_737_418;
const MAX_PAGE_SIZE = 200;

/** For an operation without parameters: any is refused. */
export const NoQuery = z.object({});

// Digits alone: Number() would read '0x10', '1e2' and ' 7 ' too.
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

const wholeNumber = (max: number) => {
  const message = `must be a whole number from 1 to ${max}`;
  return z.preprocess(toNumber, z.int(message).min(1, message).max(max, message));
};

/** @example query: z.object({ status: z.enum(STATES).optional(), ...paging }) */
export const paging = {
  page: wholeNumber(MAX_PAGE).default(1).describe('The page, from 1.'),
  pageSize: wholeNumber(MAX_PAGE_SIZE).default(50).describe('Items on a page.'),
};

const DAY_MS = 86_400_000;
const DATE_LENGTH = '2026-03-02'.length;
const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/;
// Times are compared as texts, in which a year has four digits.
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const clamp = (ms: number): number => Math.min(Math.max(ms, FIRST_MS), LAST_MS);

const time = () =>
  z
    .union(
      [z.iso.date(), z.iso.datetime({ offset: true, local: true })],
      'must be an ISO 8601 time (2026-03-02T12:00:00Z) or a date; without a zone it is in UTC',
    )
    // Date.parse takes a date for one in UTC, and a time for one of the server's zone.
    .transform((text) => (text.length === DATE_LENGTH || ZONE.test(text) ? text : `${text}Z`));

/**
 * One of the names of an enumeration, in any case.
 * @example query: z.object({ status: inAnyCase(JobStatus).optional() }) // ?status=completed is Completed
 */
export const inAnyCase = <Shape extends z.ZodEnum>(names: Shape) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? (names.options.find((name) => String(name).toLowerCase() === value.toLowerCase()) ?? value)
        : value,
    names,
  );

/** The range of a list by time, both ends included. In milliseconds: `from` is the first, `to` the first after the range. */
export const timeRange = {
  from: time()
    .transform((text) => clamp(Date.parse(text)))
    .optional()
    .describe('Not before this time, or the beginning of this day in UTC.'),
  to: time()
    .transform((text) => clamp(Date.parse(text) + (text.length === DATE_LENGTH ? DAY_MS : 1)))
    .optional()
    .describe('Not after this time, or the end of this day in UTC.'),
};

type Range = { readonly from?: number | undefined; readonly to?: number | undefined };

/** For the whole query. @example z.object({ ...timeRange, ...paging }).refine(...rangeInOrder) */
export const rangeInOrder: [(range: Range) => boolean, { path: string[]; error: string }] = [
  ({ from = FIRST_MS, to = LAST_MS }) => from < to,
  { path: ['to'], error: 'is before from' },
];
