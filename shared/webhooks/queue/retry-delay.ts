import type { Policy } from '../engine.ts';

/**
 * The seconds to wait before retry `n`, from 1: (n-1)^4 + 15 + rand(0..29)*n. Ten of them take four hours and a half.
 * The random part keeps deliveries that failed together from coming back together.
 */
export const retryDelaySeconds = (n: number, random: () => number): number =>
  (n - 1) ** 4 + 15 + Math.floor(random() * 30) * n;

/** When to try again after the `n`th failure in a row: by the table, or later if the receiver asks for it. */
export function nextAttemptAtMs(
  n: number,
  retryAfter: string | undefined,
  nowMs: number,
  { retryFactor, retryAfterMaxSeconds }: Policy,
  random: () => number,
): number {
  const byTableMs = retryDelaySeconds(n, random) * retryFactor * 1000;
  const askedMs = Math.min(retryAfterMs(retryAfter, nowMs), retryAfterMaxSeconds * 1000);
  return Math.ceil(nowMs + Math.max(byTableMs, askedMs));
}

// 'Retry-After: 120' or 'Retry-After: Fri, 31 Dec 2027 23:59:59 GMT'; anything else asks for nothing.
function retryAfterMs(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const atMs = /GMT$/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
