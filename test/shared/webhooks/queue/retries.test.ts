import { describe, expect, test } from 'vitest';
import { replaceWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';

const receiver = receiversOfATest();

describe('a delivery that fails', () => {
  test('is attempted ten times by default, by the table, and then given up', async () => {
    const inbox = await receiver(answering(500, {}, 'no'));
    const { register, happen, run, retry, read, now } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    for (let n = 2; n <= 10; n++) await retry(id);
    const { delivery, attempts } = await read(id, eventId);
    expect(delivery).toMatchObject({ state: 'Exhausted', attempts: 10, endedAtMs: now() });
    expect(delivery.nextAttemptAtMs).toBeUndefined();
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const gaps = attempts.slice(1).map(({ atMs }, i) => (atMs - (attempts[i]?.atMs ?? 0)) / 1000);
    expect(gaps).toEqual([15, 16, 31, 96, 271, 640, 1311, 2416, 4111]);
    expect(inbox.ids()).toEqual(Array(10).fill(eventId));
    expect(new Set(inbox.bodies()).size).toBe(1);
    await run(id);
    expect(inbox.received).toHaveLength(10);
  });

  test('is not attempted before its time', async () => {
    const inbox = await receiver(answering(500));
    const { register, happen, run, pass } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    pass(14_999);
    await run(id);
    expect(inbox.received).toHaveLength(1);
    pass(1);
    await run(id);
    expect(inbox.received).toHaveLength(2);
  });

  test('is confirmed by the attempt that succeeds, which the list of attempts ends with', async () => {
    let answers = 0;
    const inbox = await receiver((_, response) => response.writeHead(answers++ < 2 ? 503 : 200).end());
    const { register, happen, run, retry, read } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    await retry(id);
    await retry(id);
    const { delivery, attempts } = await read(id, eventId);
    expect(delivery).toMatchObject({ state: 'Confirmed', attempts: 3 });
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
    ]);
  });

  test('waits as long as Retry-After asks', async () => {
    const inbox = await receiver(answering(429, { 'retry-after': '1000' }));
    const { register, happen, run, all, now } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect((await all(id))[0]?.nextAttemptAtMs).toBe(now() + 1_000_000);
  });

  test('goes to the address and with the token that its webhook has by then', async () => {
    const old = await receiver(answering(500));
    const next = await receiver();
    const { engine, owner, register, happen, run, retry, all } = anEngine();
    const { id } = await register({ url: old.url });
    await happen();
    await run(id);
    await replaceWebhook(engine, owner, id, { url: next.url, authType: 'ApiKey', token: 'new' });
    await retry(id);
    expect(old.received).toHaveLength(1);
    expect(next.received.map(({ headers }) => headers['x-api-key'])).toEqual(['new']);
    expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 2 }]);
  });

  test('does not hold back the webhooks beside it, nor the deliveries behind it', async () => {
    const bad = await receiver(({ body }, response) =>
      response.writeHead(body.includes('poison') ? 500 : 200).end(),
    );
    const good = await receiver();
    const { register, happen, run, all } = anEngine();
    const failing = await register({ url: bad.url });
    const healthy = await register({ url: good.url });
    await happen({ data: 'poison' }, { data: 'fine' });
    await Promise.all([run(failing.id), run(healthy.id)]);
    expect((await all(failing.id)).map(({ state }) => state).toSorted()).toEqual(['Confirmed', 'Pending']);
    expect((await all(healthy.id)).map(({ state }) => state)).toEqual(['Confirmed', 'Confirmed']);
  });

  test('is retried as often as the policy said when it was recorded', async () => {
    const inbox = await receiver(answering(500));
    const { register, happen, run, retry, all } = anEngine({ policy: { maxAttempts: 2 } });
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    await retry(id);
    expect(await all(id)).toMatchObject([{ state: 'Exhausted', attempts: 2 }]);
  });
});
