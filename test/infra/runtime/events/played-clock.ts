import type { Clock } from '../../../../infra/runtime/events/clock.ts';

/** A clock that moves only when told to, waking whoever waits in the order of their times. */
export function playedClock(startMs: number): Clock & { advanceTo(ms: number): Promise<void> } {
  let nowMs = startMs;
  let waiting: { atMs: number; wake: () => void }[] = [];
  // What a woken waiter does next takes a few turns of the event loop: calls, answers, the next wait.
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => nowMs,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        waiting.push({ atMs: nowMs + ms, wake: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
    async advanceTo(ms) {
      await settle();
      for (;;) {
        const [next] = waiting.filter(({ atMs }) => atMs <= ms).sort((a, b) => a.atMs - b.atMs);
        if (!next) break;
        nowMs = Math.max(nowMs, next.atMs);
        waiting = waiting.filter((waiter) => waiter !== next);
        next.wake();
        await settle();
      }
      nowMs = ms;
    },
  };
}
