import type { Language } from './languages.ts';

/** The zone of times on pages: most deadlines of the country are counted there. */
const BRASILIA = 'America/Sao_Paulo';

// Days by number are read one way in Brazil, and two ways in English.
const DATES = {
  short: {
    en: { year: 'numeric', month: 'short', day: 'numeric' },
    'pt-BR': { year: 'numeric', month: '2-digit', day: '2-digit' },
  },
  long: {
    en: { year: 'numeric', month: 'long', day: 'numeric' },
    'pt-BR': { year: 'numeric', month: 'long', day: 'numeric' },
  },
} as const;

const TIMES = {
  short: { minute: '2-digit' },
  medium: { minute: '2-digit', second: '2-digit' },
} as const;

const HOURS = { en: 'numeric', 'pt-BR': '2-digit' } as const;

export type TimeFormat = {
  readonly date?: keyof typeof DATES;
  /** `medium` shows the seconds. */
  readonly time?: keyof typeof TIMES;
  readonly timeZone?: string;
};

// Making a formatter takes longer than a row of a list: each is made once.
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(
  language: Language,
  kind: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const name = `${language} ${kind} ${timeZone}`;
  const made = formatters.get(name) ?? new Intl.DateTimeFormat(language, { ...options, timeZone });
  formatters.set(name, made);
  return made;
}

/**
 * A time with its zone, the way every page shows one. Browsers have zones of their own, and Brazil has four.
 * @example formatTime('pt-BR', nowMs) // '31/12/2026, 10:30 GMT-3'
 */
export function formatTime(language: Language, ms: number, format: TimeFormat = {}): string {
  const { date = 'short', time = 'short', timeZone = BRASILIA } = format;
  return formatter(language, `${date} ${time}`, timeZone, {
    ...DATES[date][language],
    ...TIMES[time],
    hour: HOURS[language],
    timeZoneName: 'shortOffset',
  }).format(ms);
}

/** The day at a time, in Brasília. @example formatDay('en', Date.parse('2027-01-31T23:59:59Z')) // 'January 31, 2027' */
export const formatDay = (language: Language, ms: number): string =>
  formatter(language, 'day', BRASILIA, DATES.long[language]).format(ms);

const AXES = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', day: '2-digit', month: '2-digit' },
} as const;

/** A time at the axis of a chart, whose page names the zone. @example formatAxis('en', 'hour', nowMs, zone) // '10:00 AM' */
export const formatAxis = (
  language: Language,
  axis: keyof typeof AXES,
  ms: number,
  timeZone = BRASILIA,
): string => formatter(language, `axis ${axis}`, timeZone, AXES[axis]).format(ms);

/** A calendar date. @example formatDate('en', '2026-12-31') // 'Dec 31, 2026' */
export const formatDate = (language: Language, date: string): string =>
  formatter(language, 'date', 'UTC', DATES.short[language]).format(new Date(date));

// As messages for programs write times: 2026-12-31T13:30:00.000Z and 2026-12-31 13:30:00 UTC.
const WRITTEN_TIME = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z| UTC)\b/g;

/**
 * A message for programs as a page shows it: its times are in the zone of the page.
 * @example formatTimesIn('pt-BR', 'It ends at 2026-12-31T13:30:00Z.') // 'It ends at 31/12/2026, 10:30:00 GMT-3.'
 */
export const formatTimesIn = (language: Language, text: string, timeZone?: string): string =>
  text.replace(WRITTEN_TIME, (written, day: string, time: string) => {
    const ms = Date.parse(`${day}T${time}Z`);
    return Number.isNaN(ms)
      ? written
      : formatTime(language, ms, { time: 'medium', ...(timeZone && { timeZone }) });
  });
