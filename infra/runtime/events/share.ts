import type { Triggers } from './triggers.ts';

/** One of several processes. */
export type Share = { readonly index: number; readonly of: number };

/**
 * The part of the triggers that one of several processes serves. The batches of a queue that may run at once are shared
 * out, so that all processes together keep to its limit; schedules are the first one's.
 * @example shareOf(triggers, { index: 1, of: 2 }).schedules // []
 */
export const shareOf = ({ queues, schedules }: Triggers, { index, of }: Share): Triggers => ({
  queues: queues
    .map((queue) => ({
      ...queue,
      concurrency: Math.floor(queue.concurrency / of) + (index < queue.concurrency % of ? 1 : 0),
    }))
    .filter(({ concurrency }) => concurrency > 0),
  schedules: index === 0 ? schedules : [],
});
