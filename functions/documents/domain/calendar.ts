import { BRASILIA_OFFSET_MS } from '../../../shared/text/moment.ts';

/** A time as payloads carry it. */
export const isoDate = (ms: number): string => new Date(ms).toISOString();

const DAY_MS = 86_400_000;

/** The calendar day in Brasília, as yyyy-MM-dd. */
export const dayOf = (ms: number): string => isoDate(ms + BRASILIA_OFFSET_MS).slice(0, 10);

/** When a deadline ends: a day with its last millisecond in Brasília, a time at itself. */
export function deadlineOf(date: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date);
  if (isDay) return Date.parse(`${date}T00:00:00Z`) - BRASILIA_OFFSET_MS + DAY_MS - 1;
  // A time without a zone is in Brasília.
  const isZoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(date);
  return Date.parse(isZoned ? date : `${date}-03:00`);
}
