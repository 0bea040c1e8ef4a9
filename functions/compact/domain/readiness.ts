import { checkReadiness, type ReadinessResult } from '../../batch/operations/domain/readiness.ts';

// Several probes come every few seconds. One check of the store serves them all.
const MAX_AGE_MS = 5_000;

let cached: { readonly result: Promise<ReadinessResult>; readonly untilMs: number } | undefined;

/** The readiness of the service, at most five seconds old. */
export function recentReadiness(nowMs: number): Promise<ReadinessResult> {
  if (!cached || cached.untilMs <= nowMs)
    cached = { result: checkReadiness('compact'), untilMs: nowMs + MAX_AGE_MS };
  return cached.result;
}
