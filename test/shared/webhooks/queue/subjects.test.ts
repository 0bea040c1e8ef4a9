import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Rendered, Withdrawn } from '../../../../shared/webhooks/engine.ts';
import { removeWebhook, replaceWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { logOf } from '../../http/log-of.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { slowMark } from '../stored.ts';

const receiver = receiversOfATest();
afterEach(() => {
  vi.unstubAllEnvs();
});

type Render = (subject: string, owner: string) => Promise<Rendered | Withdrawn>;
type Options = Parameters<typeof anEngine>[0];

/** An engine whose subjects are what the test says they are. */
function aWorld(render: Render, options: Options = {}) {
  const world = anEngine({ render, ...options });
  const announce = (...subjects: string[]) =>
    world.happen(...subjects.map((subject) => ({ type: 'Recorded', subject })));
  return { ...world, announce };
}
const body = (type: string, data: unknown) => JSON.stringify({ type, data });

describe('an event that names its subject', () => {
  test('is rendered at each attempt, for its owner, under one webhook-id', async () => {
    let state = 'Created';
    const inbox = await receiver((_, response) =>
      response.writeHead(inbox.received.length === 1 ? 503 : 204).end(),
    );
    const render = vi.fn<Render>(async (subject) => ({
      type: `Thing${state}`,
      data: { id: subject, state },
    }));
    const { owner, register, announce, run, retry, read } = aWorld(render);
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await announce('a');
    state = 'Signed';
    await run(id);
    expect((await read(id, eventId)).delivery).toMatchObject({ state: 'Pending', type: 'ThingSigned' });
    state = 'Canceled';
    await retry(id);
    expect(inbox.bodies()).toEqual([
      body('ThingSigned', { id: 'a', state: 'Signed' }),
      body('ThingCanceled', { id: 'a', state: 'Canceled' }),
    ]);
    expect(inbox.ids()).toEqual([eventId, eventId]);
    expect(render.mock.calls).toEqual([
      ['a', owner],
      ['a', owner],
    ]);
    const stored = await read(id, eventId);
    expect(stored.delivery).toMatchObject({ state: 'Confirmed', attempts: 2, type: 'ThingCanceled' });
    expect(stored.body).toBeUndefined();
  });

  test('is signed over the bytes that are sent', async () => {
    const inbox = await receiver();
    const key = randomBytes(32);
    const { register, announce, run } = aWorld(async () => ({ type: 'T', data: 'não' }));
    const { id } = await register({ url: inbox.url, secret: `whsec_${key.toString('base64')}` });
    await announce('a');
    await run(id);
    const [got] = inbox.received;
    expect(got?.body).toBe(body('T', 'não'));
    const signed = `${got?.headers['webhook-id']}.${got?.headers['webhook-timestamp']}.${got?.body}`;
    const mac = createHmac('sha256', key).update(signed).digest('base64');
    expect(got?.headers['webhook-signature']).toBe(`v1,${mac}`);
  });

  test('that is withdrawn is not sent: the delivery is given up and says why', async () => {
    const inbox = await receiver();
    const { register, announce, run, read } = aWorld(async () => ({ withdrawn: 'The thing is gone.' }));
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await announce('a');
    await run(id);
    expect(inbox.received).toEqual([]);
    expect((await read(id, eventId)).delivery).toMatchObject({
      state: 'Exhausted',
      attempts: 0,
      type: 'Recorded',
      last: { error: 'The thing is gone.' },
    });
  });
});

describe('a subject that cannot be rendered', () => {
  const failing =
    (isBad: (subject: string) => boolean): Render =>
    async (subject) => {
      if (isBad(subject)) throw new Error('the store does not answer');
      return { type: 'T', data: subject };
    };

  test('is a failed attempt of its delivery, and is sent when it can be rendered', async () => {
    const inbox = await receiver();
    let isDown = true;
    const { engine, register, announce, run, retry, read } = aWorld(failing(() => isDown));
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await announce('a');
    const { lines } = await logOf(() => run(id));
    expect(lines).toMatchObject([{ level: 'WARN', webhookId: id, eventId, subject: 'a' }]);
    expect((await read(id, eventId)).delivery).toMatchObject({
      state: 'Pending',
      attempts: 1,
      last: { error: expect.stringContaining('the content of the event could not be read') },
    });
    // It says nothing about the receiver.
    expect(await slowMark(engine, id)).toBeUndefined();
    isDown = false;
    await retry(id);
    expect(inbox.bodies()).toEqual([body('T', 'a')]);
    expect((await read(id, eventId)).delivery).toMatchObject({ state: 'Confirmed', attempts: 2 });
  });

  test('holds back no delivery beside it', async () => {
    const inbox = await receiver();
    const { register, announce, run, all } = aWorld(
      failing((subject) => subject === 'bad'),
      { policy: { concurrency: 1 } },
    );
    const { id } = await register({ url: inbox.url });
    await announce('bad', 'a', 'b');
    await logOf(() => run(id));
    expect(inbox.bodies().toSorted()).toEqual([body('T', 'a'), body('T', 'b')]);
    expect((await all(id)).map(({ state }) => state).toSorted()).toEqual([
      'Confirmed',
      'Confirmed',
      'Pending',
    ]);
  });

  test('is given up after as many attempts as any other', async () => {
    const inbox = await receiver();
    const { register, announce, run, retry, all } = aWorld(
      failing(() => true),
      { policy: { maxAttempts: 3 } },
    );
    const { id } = await register({ url: inbox.url });
    await announce('bad');
    await logOf(async () => {
      await run(id);
      await retry(id);
      await retry(id);
    });
    expect(await all(id)).toMatchObject([{ state: 'Exhausted', attempts: 3 }]);
    expect(inbox.received).toEqual([]);
  });

  test('for lack of a renderer is one as well', async () => {
    const inbox = await receiver();
    const { register, happen, run, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen({ subject: 'a' });
    await logOf(() => run(id));
    expect(await all(id)).toMatchObject([{ state: 'Pending', attempts: 1 }]);
  });
});

// worker   |--asks for the subject------------ gets it--asks for the webhook--POST
// client            |--moves or removes the webhook--|
describe('a webhook that changes while its subject is rendered', () => {
  test('gets the delivery at its new address', async () => {
    const [old, next] = [await receiver(), await receiver()];
    const { engine, owner, register, announce, run } = aWorld(async () => {
      await replaceWebhook(engine, owner, id, { url: next.url, authType: 'NoAuth' });
      return { type: 'T', data: 'a' };
    });
    const { id } = await register({ url: old.url });
    await announce('a');
    await run(id);
    expect(old.received).toEqual([]);
    expect(next.received).toHaveLength(1);
  });

  test('to nothing gets none', async () => {
    const inbox = await receiver();
    const { engine, owner, register, announce, run, all } = aWorld(async () => {
      await removeWebhook(engine, owner, id);
      return { type: 'T', data: 'a' };
    });
    const { id } = await register({ url: inbox.url });
    await announce('a');
    await run(id);
    expect(await all(id)).toEqual([]);
    expect(inbox.received).toEqual([]);
  });
});

test('the subjects of many deliveries are each rendered when their attempt begins', async () => {
  let version = 0;
  const inbox = await receiver((_, response) => {
    version += 1;
    response.end();
  });
  const { register, announce, run } = aWorld(async () => ({ type: 'T', data: version }), {
    policy: { concurrency: 1 },
  });
  const { id } = await register({ url: inbox.url });
  await announce('a', 'b', 'c', 'd', 'e');
  await run(id);
  expect(inbox.bodies()).toEqual([0, 1, 2, 3, 4].map((n) => body('T', n)));
});

describe('the log of an engine whose deliveries no operation lists', () => {
  test('has each attempt with its type and outcome, and no path, token or content', async () => {
    vi.stubEnv('Log__Level', 'INFO');
    const inbox = await receiver((_, response) =>
      response.writeHead(inbox.received.length === 1 ? 500 : 200).end('ANSWERED'),
    );
    const subject = randomUUID();
    let isGone = false;
    const render: Render = async () =>
      isGone ? { withdrawn: 'It is gone.' } : { type: 'T', data: 'CONTENT' };
    const { register, announce, run, retry } = aWorld(render, { logsAttempts: true });
    const { lines } = await logOf(async () => {
      const { id } = await register({ url: `${inbox.url}/PATH`, authType: 'Bearer', token: 'TOKEN-A' });
      await announce(subject);
      await run(id);
      await retry(id);
      isGone = true;
      await announce(subject);
      await run(id);
    });
    const attempts = lines.filter(({ message }) => message === 'webhook attempted');
    expect(attempts).toMatchObject([
      { type: 'T', subject, attempt: 1, outcome: 'failed', status: 500 },
      { type: 'T', subject, attempt: 2, outcome: 'confirmed', status: 200 },
      { type: 'Recorded', subject, attempt: 1, outcome: 'withdrawn', error: 'It is gone.' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/PATH|TOKEN-A|CONTENT|ANSWERED/);
  });

  test('is asked for by the engine: others log what is given up', async () => {
    vi.stubEnv('Log__Level', 'INFO');
    const inbox = await receiver(answering(200));
    const { register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    const { lines } = await logOf(() => run(id));
    expect(lines).toEqual([]);
  });
});
