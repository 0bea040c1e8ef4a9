/** A time as payloads carry it. */
export const isoDate = (ms: number): string => new Date(ms).toISOString();

// Brasília has kept UTC-3 all year since 2019, and most of the country's deadlines are counted there.
const BRASILIA_OFFSET_MS = -3 * 3_600_000;
const DAY_MS = 86_400_000;

/** The calendar day in Brasília, as yyyy-MM-dd. */
export const dayOf = (ms: number): string => isoDate(ms + BRASILIA_OFFSET_MS).slice(0, 10);

/** A time as people in Brazil read it. @example momentInBrasilia(0) // '31/12/1969 21:00:00 -03:00' */
export function momentInBrasilia(ms: number): string {
  const [day = '', time = ''] = isoDate(ms + BRASILIA_OFFSET_MS)
    .slice(0, 19)
    .split('T');
  return `${day.split('-').reverse().join('/')} ${time} -03:00`;
}

/** When a deadline ends: a day with its last millisecond in Brasília, a time at itself. */
export function deadlineOf(date: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date);
  if (isDay) return Date.parse(`${date}T00:00:00Z`) - BRASILIA_OFFSET_MS + DAY_MS - 1;
  // A time without a zone is in Brasília.
  const isZoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(date);
  return Date.parse(isZoned ? date : `${date}-03:00`);
}
