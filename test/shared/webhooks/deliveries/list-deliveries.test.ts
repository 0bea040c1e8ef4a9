import { describe, expect, test } from 'vitest';
import type { DeliveryState } from '../../../../shared/webhooks/deliveries/delivery.ts';
import { listDeliveries, readDelivery } from '../../../../shared/webhooks/deliveries/list-deliveries.ts';
import type { WebhookEngine } from '../../../../shared/webhooks/engine.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';

const receiver = receiversOfATest();

async function pages(
  engine: WebhookEngine,
  webhookId: string,
  state: DeliveryState | undefined,
  limit: number,
) {
  const sizes: number[] = [];
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDeliveries(engine, webhookId, { state, limit, cursor });
    if ('refused' in page) throw new Error(page.refused);
    sizes.push(page.items.length);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);
  return { sizes, ids };
}

/** Five that were given up, four that were confirmed and three that still wait. */
async function aHistory() {
  const inbox = await receiver(({ body }, response) =>
    response.writeHead(body.includes('bad') ? 500 : 200).end(),
  );
  const world = anEngine({ policy: { maxAttempts: 1 } });
  const { id } = await world.register({ url: inbox.url });
  const ids: Record<'Exhausted' | 'Confirmed' | 'Pending', string[]> = {
    Exhausted: [],
    Confirmed: [],
    Pending: [],
  };
  for (let n = 0; n < 5; n++) {
    world.pass(1_000);
    ids.Exhausted.push(...(await world.happen({ data: 'bad' })));
    if (n < 4) ids.Confirmed.push(...(await world.happen({ data: 'good' })));
    await world.run(id);
  }
  const endedAtMs = world.now();
  world.pass(1_000);
  for (const delaySeconds of [30, 10, 20]) ids.Pending.push(...(await world.happen({ delaySeconds })));
  return { ...world, id, ids, endedAtMs };
}

describe('the deliveries of a webhook', () => {
  test('are listed page by page, the newest first', async () => {
    const { engine, id, ids } = await aHistory();
    const listed = await pages(engine, id, undefined, 5);
    expect(listed.sizes).toEqual([5, 5, 2]);
    expect(new Set(listed.ids)).toEqual(new Set(Object.values(ids).flat()));
    expect(new Set(listed.ids.slice(0, 3))).toEqual(new Set(ids.Pending));
    expect(listed.ids.slice(-2)).toContain(ids.Exhausted[0]);
  });

  test('are listed by state: those given up by when that was, the newest first', async () => {
    const { engine, id, ids } = await aHistory();
    expect(await pages(engine, id, 'Exhausted', 2)).toEqual({
      sizes: [2, 2, 1],
      ids: ids.Exhausted.toReversed(),
    });
  });

  test('are listed by state: those that wait by their next attempt, the soonest first', async () => {
    const { engine, id, ids } = await aHistory();
    const [thirty, ten, twenty] = ids.Pending;
    expect(await pages(engine, id, 'Pending', 2)).toEqual({ sizes: [2, 1], ids: [ten, twenty, thirty] });
  });

  test('are listed by state: those that were confirmed, the newest first', async () => {
    const { engine, id, ids } = await aHistory();
    expect((await pages(engine, id, 'Confirmed', 3)).ids).toEqual(ids.Confirmed.toReversed());
  });

  test.each(['nonsense', '', 'AAAA', Buffer.from('1 2 3').toString('base64url'), '%%%'])(
    'are not listed from a cursor that was not given out: %j',
    async (cursor) => {
      const { engine } = anEngine();
      for (const state of [undefined, 'Pending', 'Exhausted', 'Confirmed'] as const)
        expect(await listDeliveries(engine, 'w', { state, limit: 5, cursor })).toEqual({
          refused: 'bad-cursor',
        });
    },
  );

  test('are read with what they carry and each attempt, how long it took and what came of it', async () => {
    const { engine, id, ids, endedAtMs } = await aHistory();
    const found = await readDelivery(engine, id, ids.Exhausted[4] ?? '');
    expect(found).toMatchObject({
      delivery: {
        id: ids.Exhausted[4],
        webhookId: id,
        type: 'DocumentSigned',
        state: 'Exhausted',
        endedAtMs,
      },
      body: '{"type":"DocumentSigned","data":"bad"}',
      attempts: [{ number: 1, status: 500, atMs: endedAtMs, tookMs: expect.any(Number), body: '' }],
    });
  });

  test('are read only under their own webhook', async () => {
    const { engine, ids } = await aHistory();
    expect(await readDelivery(engine, 'another', ids.Confirmed[0] ?? '')).toBeUndefined();
    expect(await readDelivery(engine, 'another', 'nothing')).toBeUndefined();
  });
});
