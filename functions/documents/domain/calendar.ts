/** As payloads carry moments. */
export const isoDate = (ms: number): string => new Date(ms).toISOString();

// Brasília has kept UTC-3 all year since 2019, and is where most of the country's deadlines are counted.
const BRASILIA_OFFSET_MS = -3 * 3_600_000;
const DAY_MS = 86_400_000;

/** The calendar day in Brasília, as yyyy-MM-dd. */
export const dayOf = (ms: number): string => isoDate(ms + BRASILIA_OFFSET_MS).slice(0, 10);

/** A moment as people there read it. @example momentInBrasilia(0) // '31/12/1969 21:00:00 -03:00' */
export function momentInBrasilia(ms: number): string {
  const [day = '', time = ''] = isoDate(ms + BRASILIA_OFFSET_MS)
    .slice(0, 19)
    .split('T');
  return `${day.split('-').reverse().join('/')} ${time} -03:00`;
}

/** When a deadline is over: a day ends with its last millisecond in Brasília, a moment is itself. */
export function deadlineOf(given: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given);
  if (isDay) return Date.parse(`${given}T00:00:00Z`) - BRASILIA_OFFSET_MS + DAY_MS - 1;
  // A moment that names no zone is of the same place.
  const isZoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(given);
  return Date.parse(isZoned ? given : `${given}-03:00`);
}
