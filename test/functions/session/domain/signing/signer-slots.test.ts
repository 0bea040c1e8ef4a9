import { afterEach, expect, test, vi } from 'vitest';
import { deadlineIn } from '../../../../../functions/session/domain/deadline.ts';
import { withSignerSlot } from '../../../../../functions/session/domain/signing/signer-slots.ts';
import { requestsOf } from '../../../../shared/store/requests.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const inAMinute = () => deadlineIn(60_000, Date.now);

test('documents that wait for the signer in one process do not ask the store meanwhile', async () => {
  vi.stubEnv('Signing__SignerConcurrency', '2');
  const turns = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const sent = await requestsOf(async () => {
    const work = turns.map(({ promise }, n) =>
      withSignerSlot('one', inAMinute(), async () => {
        begun.push(n);
        await promise;
      }),
    );
    for (const [n, { resolve }] of turns.entries()) {
      await expect.poll(() => begun).toContain(n);
      expect(begun.length).toBeLessThanOrEqual(n + 2);
      resolve();
    }
    await Promise.all(work);
  });
  // Two slots are taken in the store, and pass from one to the next. The first may have to create the item.
  expect(sent.UpdateItem).toBeGreaterThanOrEqual(2);
  expect(sent.UpdateItem).toBeLessThanOrEqual(8);
});

test('a signer with many documents does not keep another waiting for all of them', async () => {
  vi.stubEnv('Signing__SignerConcurrency', '1');
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const holder = withSignerSlot('first', inAMinute(), () => first.promise);
  const work = ['batch', 'batch', 'batch', 'batch', 'single'].map((signer) =>
    withSignerSlot(signer, inAMinute(), async () => {
      order.push(signer);
    }),
  );
  first.resolve();
  await Promise.all([holder, ...work]);
  expect(order.indexOf('single')).toBe(1);
});

test('a document whose turn cannot come in its budget is refused at once', async () => {
  vi.stubEnv('Signing__SignerConcurrency', '1');
  const first = Promise.withResolvers<void>();
  const holder = withSignerSlot('a', inAMinute(), () => first.promise);
  await expect(withSignerSlot('b', deadlineIn(0, Date.now), async () => undefined)).rejects.toMatchObject({
    code: 'SIGN_TIMEOUT',
  });
  first.resolve();
  await holder;
});
