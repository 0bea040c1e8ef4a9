import { checkReadiness, type ReadinessResult } from '../../batch/domain/readiness.ts';

// Probes come every few seconds from several places; the store is asked for all of them at once.
const KEPT_MS = 5_000;

let kept: { readonly verdict: Promise<ReadinessResult>; readonly untilMs: number } | undefined;

/** The readiness verdict, at most five seconds old. */
export function recentReadiness(now = Date.now()): Promise<ReadinessResult> {
  if (!kept || kept.untilMs <= now) kept = { verdict: checkReadiness('compact'), untilMs: now + KEPT_MS };
  return kept.verdict;
}
