import { readCron } from './cron.ts';
import { nextOfRate, ratePeriodMs } from './rate.ts';

/**
 * When a schedule runs next, after a moment. Rates count from `anchorMs`, as AWS counts them from
 * the making of the rule; cron expressions follow the calendar.
 */
export type NextRun = (afterMs: number, anchorMs: number) => number | undefined;

/**
 * Reads `rate(…)` or `cron(…)`. Throws an Error that says what AWS would refuse.
 * @example readSchedule('rate(5 minutes)')(Date.now(), startedAtMs)
 */
export function readSchedule(expression: string): NextRun {
  const [, kind, inside] = /^(rate|cron)\((.*)\)$/.exec(expression.trim()) ?? [];
  if (kind === undefined || inside === undefined) {
    throw new Error(`"${expression}" is neither rate(…) nor cron(…)`);
  }
  if (kind === 'rate') {
    const periodMs = ratePeriodMs(inside);
    if (periodMs === undefined) {
      throw new Error(`"${expression}": a rate is like rate(1 minute), rate(5 hours) or rate(2 days)`);
    }
    return (afterMs, anchorMs) => nextOfRate(periodMs, anchorMs, afterMs);
  }
  try {
    return readCron(inside);
  } catch (error) {
    throw new Error(`"${expression}": ${(error as Error).message}`);
  }
}
