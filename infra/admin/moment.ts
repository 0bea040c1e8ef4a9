import { AdminRefusal } from '../../shared/access/administration.ts';

const DAY_MS = 86_400_000;

/** A moment as an operator writes it: a timestamp, a day, or days from now. @example momentOf('90d') */
export function momentOf(text: string, now = Date.now()): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? Date.parse(text) : now + Number(days) * DAY_MS;
  if (Number.isNaN(at)) {
    throw new AdminRefusal(`"${text}" is no moment. Write 2027-01-31T00:00:00Z, 2027-01-31 or 90d.`);
  }
  return new Date(at).toISOString();
}
