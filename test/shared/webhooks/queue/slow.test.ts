import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { consume } from '../../../../shared/queue/consume.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { DeliveryMessage } from '../../../../shared/webhooks/deliveries/delivery-message.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import type { Pace, Pacing } from '../../../../shared/webhooks/engine.ts';
import { runMessage } from '../../../../shared/webhooks/queue/run.ts';
import { aQueue } from '../../queue/a-queue.ts';
import { anEngine } from '../an-engine.ts';
import { dueMessages } from '../deliver-due.ts';
import { receiversOfATest } from '../receivers.ts';
import { recordOf, slowMark } from '../stored.ts';

const receiver = receiversOfATest();

type Answer = Parameters<typeof receiver>[0];

async function aWorld(answer: Answer, pacing: Partial<Pacing> = {}, concurrency = 10) {
  const inbox = await receiver(answer);
  const quick = await aQueue();
  const slow = await aQueue(`${quick.name}-slow`);
  const world = anEngine({ service: 'sandbox', queue: quick.name, policy: { concurrency }, pacing });
  const { engine, owner } = world;
  const { id } = await world.register({ url: inbox.url });
  /** Records events and sends their messages. */
  const send = async (...data: unknown[]): Promise<readonly string[]> => {
    const notices = data.map((each) => ({ type: 'T', data: each }));
    const { eventIds, writes } = await recording(engine, owner, notices);
    await commit(writes);
    return eventIds;
  };
  /** Brings the messages of a queue to its function. */
  const deliver = (pace: Pace) =>
    (pace === 'quick' ? quick : slow).deliver(
      consume(
        { service: 'sandbox', queue: quick.name, message: DeliveryMessage, maxReceives: 3, concurrency: 10 },
        (message, incoming) => runMessage(engine, pace, message, incoming),
      ),
    );
  return { ...world, inbox, quick, slow, id, send, deliver };
}

/** An answer that comes when the webhook is marked as a slow one. */
const whenMarked =
  (isMarked: () => Promise<unknown>) =>
  async (_: unknown, response: ServerResponse): Promise<void> => {
    while (!(await isMarked())) await pause(5);
    response.end();
  };

describe('a receiver that is slow', () => {
  const slowWorld = async () => {
    const world: Awaited<ReturnType<typeof aWorld>> = await aWorld(
      whenMarked(() => slowMark(world.engine, world.id)),
      { slowAfterMs: 20 },
    );
    return world;
  };

  test('is marked while its answer is awaited, and its next messages go to the slow queue', async () => {
    const { engine, inbox, id, owner, send, deliver, slow, now, all } = await slowWorld();
    await send(1);
    await deliver('quick');
    expect(await slowMark(engine, id)).toMatchObject({ untilMs: now() + 900_000 });
    const [eventId = ''] = await send(2);
    await deliver('quick');
    expect(inbox.received).toHaveLength(1);
    // Its record waits for the slow queue as long as for an attempt.
    expect(await recordOf(engine, id, eventId)).toMatchObject({ dueAt: now() + 20_000 });
    await deliver('slow');
    expect((await all(id)).map(({ state }) => state)).toEqual(['Confirmed', 'Confirmed']);
    expect(await recordOf(engine, id, eventId)).toBeUndefined();
    await send(3);
    await deliver('quick');
    expect((await slow.messages()).map(({ body }) => JSON.parse(body))).toMatchObject([
      { owner, webhookId: id, attempt: 1 },
    ]);
  });

  test('is among the quick again a quarter of an hour after its last slow answer', async () => {
    const { inbox, send, deliver, pass } = await slowWorld();
    await send(1);
    await deliver('quick');
    pass(900_000);
    await send(2);
    await deliver('quick');
    expect(inbox.received).toHaveLength(2);
  });
});

test('a retry goes to the slow queue, and the first attempts of others stay among the quick', async () => {
  const { inbox, id, send, deliver, slow, pass, all } = await aWorld(({ body }, response) =>
    response.writeHead(body.includes('bad') ? 500 : 200).end(),
  );
  await send('bad', 'good');
  await deliver('quick');
  expect((await all(id)).map(({ state }) => state).toSorted()).toEqual(['Confirmed', 'Pending']);
  pass(15_000);
  expect(await slow.messages()).toEqual([]); // delayed
  await send('good');
  await deliver('quick');
  expect(inbox.received).toHaveLength(3);
});

test.each([
  ['quick', 3_000],
  ['slow', 7_000],
] as const)(
  'a message that gets no slot in time in the %s queue goes to its end, and is delayed there',
  async (pace, delayMs) => {
    const returned = Promise.withResolvers<void>();
    const world: Awaited<ReturnType<typeof aWorld>> = await aWorld(
      async (_, response) => {
        await returned.promise;
        response.end();
      },
      { patienceMs: { quick: 1, slow: 1 }, returnAfterMs: { quick: 3_000, slow: 7_000 } },
      1,
    );
    const { engine, id, happen, runMessages, quick, slow, inbox, now } = world;
    await happen({}, {});
    const first = runMessages((await dueMessages(engine, id)).slice(0, 1), pace);
    while (inbox.received.length === 0) await pause(5);
    const left = (await dueMessages(engine, id)).filter(({ eventId }) => !inbox.ids().includes(eventId));
    const [{ eventId } = { eventId: '' }] = left;
    const { token = '' } = (await recordOf(engine, id, eventId)) ?? {};
    const record = { id: `delivery:${id}:${eventId}`, token: String(token) };
    expect(await runMessages(left, pace, record)).toEqual(['forgotten']);
    returned.resolve();
    await first;
    expect(inbox.received).toHaveLength(1);
    expect([...(await quick.messages()), ...(await slow.messages())]).toEqual([]);
    expect(await recordOf(engine, id, eventId)).toMatchObject({ dueAt: now() + delayMs + 20_000 });
  },
);
