import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { handler as getDelivery } from '../../../../../functions/documents/endpoints/webhooks/get-webhook-delivery.ts';
import { handler as listDeliveries } from '../../../../../functions/documents/endpoints/webhooks/list-webhook-deliveries.ts';
import { type DeliveryResponse, type Page, webhookStage } from '../../stage/webhook-stage.ts';

const stage = webhookStage();

describe('GET …/webhooks/{webhookId}/deliveries', () => {
  test('shows a delivery that waits with its next attempt, and one that was confirmed with what was answered', async () => {
    const confirmed = await stage.happen();
    await stage.deliver();
    const waiting = await stage.happen('DocumentConcluded', 60);
    const { items, nextCursor } = await stage.list();
    expect(nextCursor).toBeNull();
    expect(items).toEqual([
      {
        id: waiting,
        eventId: waiting,
        type: 'DocumentConcluded',
        state: 'Pending',
        attemptCount: 0,
        createdDate: expect.any(String),
        nextAttemptDate: expect.any(String),
        lastAttempt: null,
      },
      {
        id: confirmed,
        eventId: confirmed,
        type: 'DocumentSigned',
        state: 'Confirmed',
        attemptCount: 1,
        createdDate: expect.any(String),
        nextAttemptDate: null,
        lastAttempt: {
          date: expect.any(String),
          status: 200,
          error: null,
          durationMs: expect.any(Number),
        },
      },
    ]);
  });

  test.each(['Pending', 'Confirmed', 'Exhausted'])('lists those of one state: %s', async (state) => {
    const made: Record<string, string[]> = { Exhausted: [await stage.fail()] };
    stage.answer = { status: 200 };
    made.Confirmed = [await stage.happen()];
    await stage.deliver();
    made.Pending = [await stage.happen('DocumentConcluded', 60)];
    const { items } = await stage.list({ state });
    expect(items.map(({ id }) => id)).toEqual(made[state]);
    expect(new Set(items.map((item) => item.state))).toEqual(new Set(made[state]?.map(() => state)));
  });

  test.each([undefined, 'Pending', 'Exhausted'])('is paged by cursor and misses none: %s', async (state) => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push(state === 'Exhausted' ? await stage.fail() : await stage.happen('DocumentSigned', 60 + n));
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page: Page = await stage.list({ limit: '2', ...(cursor && { cursor }), ...(state && { state }) });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['state', 'pending'],
    ['cursor', 'made-up'],
  ])('is refused with %s %s', async (field, value) => {
    const { status, json } = await stage.ask(listDeliveries, { query: { [field]: value } });
    expect(status).toBe(400);
    expect(json()).toMatchObject({ code: 'InvalidRequest', details: { field } });
  });

  test('does not tell a token, a secret or an address', async () => {
    await stage.fail();
    const { text } = await stage.ask(listDeliveries);
    expect(text).not.toContain('a-long-random-token');
    expect(text).not.toContain('/hook');
  });
});

test('a delivery is signed with the secret of its webhook, over the id, the moment and the body', async () => {
  const secret = randomBytes(32).toString('base64');
  stage.webhookId = await stage.register({ secret: `whsec_${secret}` });
  await stage.happen();
  await stage.deliver();
  const [{ headers, body } = { headers: {}, body: '' }] = stage.received;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
});

describe('GET …/deliveries/{deliveryId}', () => {
  test('holds the body byte for byte, and every attempt with its status and what was answered', async () => {
    stage.answer = { status: 500, body: '<h1>não</h1>' };
    const id = await stage.happen();
    await stage.deliver();
    await stage.deliver(60_000);
    const { status, json } = await stage.ask(getDelivery, { deliveryId: id });
    expect(status).toBe(200);
    const details = json() as DeliveryResponse & { body: string };
    expect(details).toMatchObject({
      id,
      state: 'Exhausted',
      attemptCount: 2,
      nextAttemptDate: null,
      attempts: [
        { number: 1, status: 500, response: '<h1>não</h1>' },
        { number: 2, status: 500, response: '<h1>não</h1>' },
      ],
    });
    expect(stage.received.map(({ body }) => body)).toEqual([details.body, details.body]);
    expect(stage.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  });

  test('one of another webhook, or of none, is not found', async () => {
    const id = await stage.happen();
    const other = await stage.register();
    for (const asked of [{ deliveryId: id, webhookId: other }, { deliveryId: randomUUID() }]) {
      const { status, json } = await stage.ask(getDelivery, asked);
      expect(status).toBe(404);
      expect(json()).toMatchObject({ code: 'DeliveryNotFound', resourceName: 'Delivery' });
    }
  });
});
