/** The dates of revocation data: its issue, and the next one. */
export type Dated = { readonly thisUpdateMs: number; readonly nextUpdateMs: number | undefined };

export type Times = {
  /** The time of judgement. */
  readonly atMs: number;
  /** The current time. Data may be newer than the time of judgement, but not newer than this. */
  readonly nowMs: number;
  /** How long data is used after its nextUpdate. */
  readonly graceMs: number;
};

/** `late` is past nextUpdate and within the grace window, `old` is past that too. */
export type Freshness = 'fresh' | 'late' | 'old' | 'from the future';

// The clocks of authorities differ from ours by minutes at most.
const CLOCK_SKEW_MS = 5 * 60_000;

// RFC 6960, 4.2.2.1: without nextUpdate newer data is always available.
const UNDATED_LASTS_MS = 24 * 3_600_000;

/**
 * Whether data is dated after this time, by more than clocks differ: its authority's clock, or ours, is or was wrong. It
 * proves nothing, and a right one that follows it is older.
 */
export const isFromTheFuture = ({ thisUpdateMs }: Pick<Dated, 'thisUpdateMs'>, nowMs: number): boolean =>
  thisUpdateMs > nowMs + CLOCK_SKEW_MS;

export function freshnessOf(
  { thisUpdateMs, nextUpdateMs }: Dated,
  { atMs, nowMs, graceMs }: Times,
): Freshness {
  if (isFromTheFuture({ thisUpdateMs }, Math.max(nowMs, atMs))) return 'from the future';
  const untilMs = Math.max(thisUpdateMs, nextUpdateMs ?? thisUpdateMs + UNDATED_LASTS_MS);
  if (atMs <= untilMs) return 'fresh';
  return atMs <= untilMs + graceMs ? 'late' : 'old';
}
