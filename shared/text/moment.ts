// Brasília has kept UTC-3 all year since 2019, and most of the country's deadlines are counted there.
export const BRASILIA_OFFSET_MS = -3 * 3_600_000;

/** A time as people in Brazil read it. @example momentInBrasilia(0) // '31/12/1969 21:00:00 -03:00' */
export function momentInBrasilia(ms: number): string {
  const [day = '', time = ''] = new Date(ms + BRASILIA_OFFSET_MS).toISOString().slice(0, 19).split('T');
  return `${day.split('-').reverse().join('/')} ${time} -03:00`;
}
