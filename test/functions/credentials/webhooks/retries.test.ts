import { describe, expect, test } from 'vitest';
import { answering } from '../../../shared/webhooks/a-receiver.ts';
import { receiversOfATest } from '../../../shared/webhooks/receivers.ts';
import { sentTo, webhookStage } from './webhook-stage.ts';

const receiver = receiversOfATest();
const stage = webhookStage();

// The published table (completions, 3.2): least seconds before each of the ten retries, and up to 29 n more.
const LEAST = [15, 16, 31, 96, 271, 640, 1_311, 2_416, 4_111, 6_576];
const MOST = LEAST.map((seconds, n) => seconds + 29 * (n + 1));

/** Attempts a delivery as often as it is due, by a clock that goes from one attempt to the next. */
async function attemptAll(random: () => number) {
  const webhookId = await stage.webhookId();
  let nowMs = Date.now();
  const engine = stage.engine({ random, now: () => nowMs });
  const attemptedAtMs: number[] = [];
  for (;;) {
    await stage.deliver(undefined, webhookId, engine);
    attemptedAtMs.push(nowMs);
    const [delivery] = await stage.deliveries(webhookId);
    if (delivery?.state !== 'Pending' || !delivery.nextAttemptAtMs) return { delivery, attemptedAtMs };
    // Nothing is sent a moment before its time.
    nowMs = delivery.nextAttemptAtMs - 1;
    await stage.deliver(undefined, webhookId, engine);
    nowMs = delivery.nextAttemptAtMs;
  }
}

describe('a delivery that always fails', () => {
  test.each([
    ['least', () => 0, LEAST],
    ['most', () => 0.999_999, MOST],
  ])(
    'is attempted 11 times by the table, after the %s delays, and then given up',
    async (_, random, delays) => {
      const inbox = await receiver(answering(500, {}, 'no'));
      await stage.sendTo(inbox);
      const degree = await stage.create('degree');
      const { delivery, attemptedAtMs } = await attemptAll(random);
      expect(attemptedAtMs.slice(1).map((atMs, n) => (atMs - (attemptedAtMs[n] ?? 0)) / 1000)).toEqual(
        delays,
      );
      expect(delivery).toMatchObject({ state: 'Exhausted', attempts: 11, last: { status: 500 } });
      expect(inbox.received).toHaveLength(11);
      expect(new Set(inbox.ids()).size).toBe(1);
      for (const { data } of sentTo(inbox)) expect(data.id).toBe(degree.id);
      // Given up for good: a day later nobody is called.
      stage.laterMs = 86_400_000;
      await stage.deliver();
      expect(inbox.received).toHaveLength(11);
    },
  );
});

test('an attempt has 30 seconds by default', () => {
  expect(stage.engine().policy()).toMatchObject({ timeoutSeconds: 30, maxAttempts: 11, maxPerOwner: 1 });
});
