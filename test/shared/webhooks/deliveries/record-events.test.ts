import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { consume } from '../../../../shared/queue/consume.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { DeliveryMessage } from '../../../../shared/webhooks/deliveries/delivery-message.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { runMessage } from '../../../../shared/webhooks/queue/run.ts';
import { aQueue } from '../../queue/a-queue.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { recordOf } from '../stored.ts';

const receiver = receiversOfATest();
const NOTICE = { type: 'DocumentSigned', data: { id: 'd' } };

type Thing = { readonly id: string; readonly note?: string };
const things = collection<Thing, string>({
  service: 'documents',
  name: 'thing',
  id: ({ id }) => id,
  key: (id) => ({ pk: `THING#${id}`, sk: 'THING' }),
});

describe('an event', () => {
  test('is recorded if and only if the change that causes it happens', async () => {
    const { engine, owner, register, all } = anEngine();
    const { id } = await register({ url: 'http://127.0.0.1:9/' });
    const thing = await things.create({ id: randomUUID() });
    const writes = async () => (await recording(engine, owner, [NOTICE])).writes;
    await things.change(thing, { note: 'first' }, { also: await writes() });
    expect(await all(id)).toHaveLength(1);
    await expect(things.change(thing, { note: 'stale' }, { also: await writes() })).rejects.toThrow(
      /another writer/,
    );
    expect(await all(id)).toHaveLength(1);
  });

  test('becomes one delivery for each webhook of its owner, and none for anybody else’s', async () => {
    const { register, happen, all } = anEngine();
    const other = anEngine();
    const mine = [
      await register({ url: 'http://127.0.0.1:9/' }),
      await register({ url: 'http://127.0.0.1:9/' }),
    ];
    const theirs = await other.register({ url: 'http://127.0.0.1:9/' });
    const [eventId] = await happen();
    for (const { id } of mine)
      expect(await all(id)).toMatchObject([{ id: eventId, state: 'Pending', attempts: 0 }]);
    expect(await all(theirs.id)).toEqual([]);
  });

  test('of an owner without webhooks is not recorded', async () => {
    const { engine, owner } = anEngine();
    expect(await recording(engine, owner, [NOTICE])).toEqual({ writes: [], eventIds: [] });
  });

  test('may be one of several in one change, each delivered by itself under ids in the order of time', async () => {
    const inbox = await receiver();
    const { register, happen, run, pass } = anEngine();
    const { id } = await register({ url: inbox.url });
    const ids = await happen({ type: 'DocumentSigned' }, { type: 'DocumentConcluded' });
    await run(id);
    expect(new Set(inbox.ids())).toEqual(new Set(ids));
    pass(1);
    const [first = ''] = await happen();
    expect(first > (ids[0] ?? '')).toBe(true);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('that is delayed is not delivered before', async () => {
    const inbox = await receiver();
    const { register, happen, run, pass } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen({ delaySeconds: 60 });
    await run(id);
    pass(59_999);
    await run(id);
    expect(inbox.received).toEqual([]);
    pass(1);
    await run(id);
    expect(inbox.received).toHaveLength(1);
  });

  test('that is too large to keep is refused with its size', async () => {
    const { register, happen } = anEngine();
    await register({ url: 'http://127.0.0.1:9/' });
    await expect(happen({ type: 'Huge', data: 'é'.repeat(200_000) })).rejects.toThrow(
      /Huge event has 400\d\d\d bytes; 380000/,
    );
  });
});

describe('the message of a delivery', () => {
  test('is recorded with the event, one for each webhook, and stays until the attempt is recorded', async () => {
    const queue = await aQueue();
    const inbox = await receiver();
    const { engine, owner, register, now } = anEngine({ service: 'sandbox', queue: queue.name });
    const ids = [(await register({ url: inbox.url })).id, (await register({ url: inbox.url })).id];
    const { writes, eventIds } = await recording(engine, owner, [NOTICE]);
    const [eventId = ''] = eventIds;
    await commit(writes);
    const bodies = ids.map((webhookId) => ({ owner, webhookId, eventId, attempt: 1 }));
    // The sweeper finds these when a process is killed, and not while an attempt may be under way.
    for (const [n, id] of ids.entries())
      expect(await recordOf(engine, id, eventId)).toMatchObject({
        queue: queue.name,
        dueAt: now() + 15_000 + 5_000,
        body: JSON.stringify(bodies[n]),
      });
    const served: DeliveryMessage[] = [];
    const handler = consume(
      { service: 'sandbox', queue: queue.name, message: DeliveryMessage, maxReceives: 1 },
      async (message, incoming) => {
        served.push(message);
        return runMessage(engine, 'quick', message, incoming);
      },
    );
    await queue.deliver(handler);
    expect(new Set(served)).toEqual(new Set(bodies));
    for (const id of ids) expect(await recordOf(engine, id, eventId)).toBeUndefined();
  });

  test('that cannot be sent is left to the sweeper, without an error', async () => {
    const { engine, owner, register } = anEngine({ queue: `missing-${randomUUID()}` });
    const { id } = await register({ url: 'http://127.0.0.1:9/' });
    const { writes, eventIds } = await recording(engine, owner, [NOTICE]);
    await commit(writes);
    expect(await recordOf(engine, id, eventIds[0] ?? '')).toBeDefined();
  });

  test('for a delay past what a queue can hold back is the sweeper’s', async () => {
    const queue = await aQueue();
    const { engine, owner, register, now } = anEngine({ service: 'sandbox', queue: queue.name });
    const { id } = await register({ url: 'http://127.0.0.1:9/' });
    const { writes, eventIds } = await recording(engine, owner, [{ ...NOTICE, delaySeconds: 901 }]);
    await commit(writes);
    expect(await recordOf(engine, id, eventIds[0] ?? '')).toMatchObject({ dueAt: now() + 901_000 });
    expect(await queue.messages()).toEqual([]);
  });
});
