import { AdminRefusal } from '../../shared/access/administration.ts';

const DAY_MS = 86_400_000;

// Date.parse takes nearly anything: "5" is a day of 2001 to it.
const TIME = /^\d{4}-\d\d-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Parses a time as an operator writes it: a timestamp, a day, or days from now. @example parseTime('90d') */
export function parseTime(text: string, now = Date.now()): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? millisecondsOf(text) : now + Number(days) * DAY_MS;
  if (Number.isNaN(at)) {
    throw new AdminRefusal(`"${text}" is no time. Write 2027-01-31T00:00:00Z, 2027-01-31 or 90d.`);
  }
  return new Date(at).toISOString();
}

function millisecondsOf(text: string): number {
  const day = TIME.exec(text)?.[1];
  // The 31st of February is the 3rd of March to Date.parse.
  const exists = day !== undefined && new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(day);
  return exists ? Date.parse(text) : Number.NaN;
}
