import type { Pacing, WebhookEngine } from './engine.ts';

// Receivers that make us wait are served apart from those that answer at once:
//
//   queue webhooks        short turns; a receiver that takes longer than `slowAfterMs` ends its turn and moves over
//   queue webhooks-slow   long turns; a receiver that was quick for a few of them moves back
//
// A function holds its place in a queue for as long as its slowest receiver takes. So however many are slow, they
// take places from each other and never from the quick.
const DEFAULTS: Pacing = {
  // Ten times what a receiver on the internet takes, and less than it takes to find out that one is not there.
  slowAfterMs: 3_000,
  // Quick ones may wait for a place as long as others' turns last. Slow ones lose up to an attempt's time-out
  // at the end of each turn, so theirs is longer than that.
  turnMs: { quick: 10_000, slow: 60_000 },
  // Five attempts a second: the ten attempts of five thousand deliveries take a dead receiver the hours that the
  // table of retries takes anyway, and cost others little. The first that is confirmed ends it.
  breathMs: 200,
};

/** Turns without a slow attempt before a receiver moves back, so that one that is slow now and then stays. */
export const SLOW_TURNS = 3;

export const pacingOf = ({ pacing }: WebhookEngine): Pacing => ({ ...DEFAULTS, ...pacing });

// Recording the last results, with room for a store that is slow to answer.
const RECORDING_MS = 15_000;

/** A run is over before its lease: the last attempt that it began has ended and is recorded. */
export const leaseMs = (engine: WebhookEngine, pace: 'quick' | 'slow'): number =>
  pacingOf(engine).turnMs[pace] + engine.policy().timeoutSeconds * 1000 + RECORDING_MS;
