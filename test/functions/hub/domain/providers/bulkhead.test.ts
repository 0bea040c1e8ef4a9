import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { bulkheadOf } from '../../../../../functions/hub/domain/providers/bulkhead.ts';
import { providerAt } from './a-provider.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The slots of a provider that nobody has called yet. */
function slotsOf(count: number) {
  vi.stubEnv('Providers__MaxConcurrentCalls', String(count));
  const provider = providerAt(`https://${randomUUID()}.example/oauth`);
  return (application = 'one') => bulkheadOf({ application }, provider, 'discovery');
}

test('slots are handed on in the order of asking, and never given out twice', async () => {
  const bulkhead = slotsOf(2)();
  const served: number[] = [];
  const slots: { release: () => void }[] = [];
  const all = [1, 2, 3, 4].map(async (who) => {
    const slot = await bulkhead.acquire(10_000);
    served.push(who);
    if (slot) slots.push(slot);
  });
  await expect.poll(() => served).toEqual([1, 2]);
  slots[0]?.release();
  await expect.poll(() => served).toEqual([1, 2, 3]);
  slots[1]?.release();
  await Promise.all(all);
  expect(served).toEqual([1, 2, 3, 4]);
});

test('a slot is not waited for longer than the time given', async () => {
  const bulkhead = slotsOf(1)();
  const first = await bulkhead.acquire(1);
  expect(first).toBeDefined();
  expect(await bulkhead.acquire(1)).toBeUndefined();
  first?.release();
  expect(await bulkhead.acquire(1)).toBeDefined();
});

test('applications share the slots of a provider, and each has a circuit of its own', async () => {
  const of = slotsOf(1);
  expect(await of('one').acquire(1)).toBeDefined();
  expect(await of('other').acquire(1)).toBeUndefined();
  expect(of('one').circuit).toBe(of('one').circuit);
  expect(of('one').circuit).not.toBe(of('other').circuit);
});
