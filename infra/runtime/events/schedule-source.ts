import { randomUUID } from 'node:crypto';
import { HEAD_START_MS } from '../../../shared/store/due/message.ts';
import type { Invoke } from '../functions/invoke.ts';
import type { Clock } from './clock.ts';
import type { NextRun } from './schedule-expression.ts';
import { type Source, startSource } from './source.ts';

export type ScheduleTrigger = {
  functionName: string;
  /** As written, for messages: rate(5 minutes). */
  expression: string;
  next: NextRun;
  /** The whole event, where the schedule declares one; otherwise EventBridge's own. */
  input?: unknown;
  /**
   * Runs when the engine starts, too, and once more when the messages are due that the engine before recorded and may not
   * have sent: work that came due while it was down is not late by another period.
   */
  runsAtStart?: boolean;
  /** How often Lambda runs a failed asynchronous event again. */
  retries: number;
};

type SourceOptions = {
  clock: Clock;
  /** Rates count from this time. */
  anchorMs: number;
  account: string;
  region: string;
  report: (line: string) => void;
};

/** Short, so that a missed run is noticed soon after the machine wakes. */
const MAX_WAIT_MS = 30_000;
/** AWS starts a run while the previous one still runs. The bound keeps a hung function from piling up. */
const MAX_AT_ONCE = 5;
/** Lambda waits a minute before the first retry of an asynchronous event, and two before the second. */
const RETRY_AFTER_MS = [60_000, 120_000] as const;

// A killed engine leaves a recorded message that nobody sent. A sweep at the start comes before its time:
//
//   engine 1  |--records (due after its head start)-- killed
//   engine 2         |--starts: sweeps--|----------------(head start over) |--sweeps: sends it
const SWEEP_AGAIN_MS = HEAD_START_MS + 1_000;

/**
 * Runs a function by its schedule. A run that came due while the machine slept starts once, late; runs that came due
 * while the engine was down are skipped.
 * @example const source = startScheduleSource(trigger, invoke, options)
 */
export const startScheduleSource = (
  trigger: ScheduleTrigger,
  invoke: Invoke,
  options: SourceOptions,
): Source =>
  startSource(async ({ signal, working, begin }) => {
    const { clock, anchorMs, report } = options;
    const { functionName, input, runsAtStart } = trigger;
    const startRun = (atMs: number) => {
      if (working.size >= MAX_AT_ONCE) {
        report(`${functionName} skips a run: ${MAX_AT_ONCE} of its runs have not ended`);
        return;
      }
      const event = input === undefined ? scheduledEvent(functionName, atMs, options) : input;
      begin(runWithRetries(trigger, event, invoke, options, signal));
    };

    let lastMs = clock.now();
    const againMs = lastMs + SWEEP_AGAIN_MS;
    const nextRun = (afterMs: number): number | undefined => {
      const atMs = trigger.next(afterMs, anchorMs);
      const isAgain = runsAtStart && afterMs < againMs && againMs < (atMs ?? Infinity);
      return isAgain ? againMs : atMs;
    };
    if (runsAtStart) startRun(lastMs);
    while (!signal.aborted) {
      const atMs = nextRun(lastMs);
      if (atMs === undefined) return;
      while (clock.now() < atMs && !signal.aborted) {
        await clock.wait(Math.min(atMs - clock.now(), MAX_WAIT_MS), signal);
      }
      if (!signal.aborted) startRun(atMs);
      lastMs = Math.max(atMs, clock.now());
    }
  });

/** The stop drops retries that are pending. */
async function runWithRetries(
  { functionName, retries }: ScheduleTrigger,
  event: unknown,
  invoke: Invoke,
  { clock, report }: SourceOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const result = await invoke(functionName, event);
    // A run that the engine's own stop cut off has not failed.
    if (result.ok || signal.aborted) return;
    report(`${functionName} failed a scheduled run: ${result.reason}`);
    const waitMs = RETRY_AFTER_MS[attempt];
    if (waitMs === undefined || attempt >= retries) return;
    await clock.wait(waitMs, signal);
  }
}

/** The event of EventBridge for a rule. */
export function scheduledEvent(
  rule: string,
  atMs: number,
  { account, region }: Pick<SourceOptions, 'account' | 'region'>,
) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: new Date(atMs).toISOString().replace('.000Z', 'Z'),
    region,
    resources: [`arn:aws:events:${region}:${account}:rule/${rule}`],
    detail: {},
  };
}
