/** When revocation data was made and when newer is due. */
export type Dated = { readonly thisUpdateMs: number; readonly nextUpdateMs: number | undefined };

export type Times = {
  /** The time of judgement. */
  readonly atMs: number;
  /** The time it is: data may be newer than the time of judgement, but not come from the future. */
  readonly nowMs: number;
  /** How long data that is due for renewal may still be used. */
  readonly graceMs: number;
};

/** `late` is past its time and within the grace, `old` past that. */
export type Freshness = 'fresh' | 'late' | 'old' | 'from the future';

// Clocks of authorities and ours differ by minutes, not more.
const CLOCK_SKEW_MS = 5 * 60_000;

// Data that names no next update stands for a service that always has newer.
const UNDATED_LASTS_MS = 24 * 3_600_000;

export function freshnessOf(
  { thisUpdateMs, nextUpdateMs }: Dated,
  { atMs, nowMs, graceMs }: Times,
): Freshness {
  if (thisUpdateMs > Math.max(nowMs, atMs) + CLOCK_SKEW_MS) return 'from the future';
  const untilMs = Math.max(thisUpdateMs, nextUpdateMs ?? thisUpdateMs + UNDATED_LASTS_MS);
  if (atMs <= untilMs) return 'fresh';
  return atMs <= untilMs + graceMs ? 'late' : 'old';
}
