import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renewRegularly } from '../../../shared/async/renew-regularly.ts';

const EVERY_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('renews at its interval until it is ended, also after a renewal that failed', async () => {
  const renew = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('The store is away.'));
  renew.mockResolvedValue(undefined);
  const stop = renewRegularly(EVERY_MS, renew);
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect(renew).toHaveBeenCalledTimes(3);
  await stop();
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect(renew).toHaveBeenCalledTimes(3);
});

//   renewals  |--first, slow--------------|--second--|
//   end                          |--waits for both---|
test('never renews twice at once, and ends when the last renewal has', async () => {
  let atOnce = 0;
  const most: number[] = [];
  const stop = renewRegularly(EVERY_MS, async () => {
    most.push(++atOnce);
    await new Promise((done) => setTimeout(done, 1.5 * EVERY_MS));
    atOnce -= 1;
  });
  await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
  const ended = stop().then(() => atOnce);
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect([await ended, most]).toEqual([0, [1, 1]]);
});
