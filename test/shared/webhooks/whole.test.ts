import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { commit } from '../../../shared/store/commit.ts';
import { recording } from '../../../shared/webhooks/deliveries/record-events.ts';
import type { Webhook } from '../../../shared/webhooks/webhook.ts';
import { unsent } from '../queue/unsent.ts';
import { anEngine } from './an-engine.ts';
import { startConsumers } from './consumers.ts';
import { onOwnStage, ownQueues, sweepAt } from './own-stage.ts';
import { receiversOfATest } from './receivers.ts';

const FEW = { concurrency: 5 };

onOwnStage();
const receiver = receiversOfATest();
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
});

const eventually = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(200);
};

const EVENTS = 40;
const ATTEMPTS = 4;

describe('events on their way through the queues', () => {
  test('end confirmed or given up, each, whatever becomes of those beside them', async () => {
    // A fifth of all attempts, by event and attempt, so that every run fails the same.
    const tries = new Map<string, number>();
    const isUnlucky = (id: string): boolean => {
      const attempt = (tries.get(id) ?? 0) + 1;
      tries.set(id, attempt);
      return createHash('sha256').update(`${id}#${attempt}`).digest().readUInt8(0) % 5 === 0;
    };
    const quick = await receiver();
    const second = await receiver();
    const late = await receiver((_, response) => setTimeout(() => response.end(), 80));
    const flaky = await receiver(({ headers }, response) =>
      response.writeHead(isUnlucky(String(headers['webhook-id'])) ? 500 : 200).end(),
    );
    const dead = await receiver();
    await dead.stop();
    const { engine, owner, register, all } = anEngine({
      queue: await ownQueues(),
      policy: { maxAttempts: ATTEMPTS, retryFactor: 0.001, concurrency: 4 },
      pacing: { slowAfterMs: 40 },
    });
    const timely = { ...engine, now: Date.now };
    const webhooks: Webhook[] = [];
    for (const { url } of [quick, second, late, flaky, dead]) webhooks.push(await register({ url }));
    running.push(await startConsumers(timely, FEW));

    const recorded: string[] = [];
    await Promise.all(
      Array.from({ length: EVENTS }, async (_, n) => {
        const { writes, eventIds } = await recording(timely, owner, [{ type: 'T', data: n }]);
        await commit(writes);
        recorded.push(...eventIds);
      }),
    );
    const deliveries = () => Promise.all(webhooks.map(({ id }) => all(id)));
    await eventually(async () => (await deliveries()).flat().every(({ state }) => state !== 'Pending'));

    const ended = await deliveries();
    const count = (of: number, state: string) =>
      ended[of]?.filter((delivery) => delivery.state === state).length;
    expect(ended.map((each) => each.length)).toEqual(Array(5).fill(EVENTS));
    for (const [of, inbox] of [quick, second, late].entries()) {
      expect(count(of, 'Confirmed')).toBe(EVENTS);
      expect(inbox.ids().toSorted()).toEqual(recorded.toSorted());
    }
    expect((count(3, 'Confirmed') ?? 0) + (count(3, 'Exhausted') ?? 0)).toBe(EVENTS);
    expect(flaky.received).toHaveLength(ended[3]?.reduce((sum, { attempts }) => sum + attempts, 0) ?? 0);
    expect(new Set(flaky.ids())).toEqual(new Set(recorded));
    expect(count(4, 'Exhausted')).toBe(EVENTS);
    expect(new Set(ended[4]?.map(({ attempts }) => attempts))).toEqual(new Set([ATTEMPTS]));
  }, 60_000);

  test('are delivered by the sweeper when the recorder was killed right after its commit', async () => {
    const inbox = await receiver();
    const { engine, owner, register } = anEngine({ queue: await ownQueues() });
    await register({ url: inbox.url });
    const { writes, eventIds } = await recording(engine, owner, [{ type: 'T', data: null }]);
    await commit(unsent(writes));
    running.push(await startConsumers({ ...engine, now: Date.now }, FEW));
    await sweepAt(Date.now() + 21_000);
    await eventually(async () => inbox.received.length > 0);
    expect(inbox.ids()).toEqual(eventIds);
  });

  test('are retried by the sweeper when the message of the next attempt is lost', async () => {
    let status = 500;
    const inbox = await receiver((_, response) => response.writeHead(status).end());
    const { engine, register, happen, run, all, now } = anEngine({ queue: await ownQueues() });
    const { id } = await register({ url: inbox.url });
    await happen();
    // The delayed message of this run stays on its queue for 15 s: nobody waits for it here.
    await run(id);
    status = 200;
    running.push(await startConsumers({ ...engine, now: () => now() + 36_000 }, FEW));
    await sweepAt(now() + 36_000);
    await eventually(async () => (await all(id))[0]?.state === 'Confirmed');
    expect(inbox.received).toHaveLength(2);
  });
});
