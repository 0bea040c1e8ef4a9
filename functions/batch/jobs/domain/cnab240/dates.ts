/** Reads DDMMAAAA as an ISO date. A bad date is no date: null. @example parsePaymentDate('31122026') // '2026-12-31' */
export function parsePaymentDate(text: string): string | null {
  const [, day, month, year] = /^([0-9]{2})([0-9]{2})([0-9]{4})$/.exec(text) ?? [];
  if (year === undefined || year === '0000') return null;
  const date = `${year}-${month}-${day}`;
  // Date.parse takes 30 February for 2 March, so the date is written again and compared.
  const parsedMs = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(parsedMs) && new Date(parsedMs).toISOString().startsWith(date) ? date : null;
}

/** The date at a time and place. @example dateIn('America/Sao_Paulo', nowMs) // '2026-12-31' */
export function dateIn(timeZone: string, nowMs: number): string {
  // Swedish dates are ISO dates.
  const format = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('sv-SE', format).format(nowMs);
}
