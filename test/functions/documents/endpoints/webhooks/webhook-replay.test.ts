import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WEBHOOKS } from '../../../../../functions/documents/contract/events.ts';
import { shownId } from '../../../../../functions/documents/domain/guids.ts';
import { handler as getDelivery } from '../../../../../functions/documents/endpoints/webhooks/get-webhook-delivery.ts';
import { handler as listDeliveries } from '../../../../../functions/documents/endpoints/webhooks/list-webhook-deliveries.ts';
import { handler as replayFailed } from '../../../../../functions/documents/endpoints/webhooks/replay-failed-webhook-deliveries.ts';
import { handler as replayDelivery } from '../../../../../functions/documents/endpoints/webhooks/replay-webhook-delivery.ts';
import { handler as sendTest } from '../../../../../functions/documents/endpoints/webhooks/send-webhook-test.ts';
import type { Endpoint } from '../../../../../shared/http/endpoint.ts';
import { call } from '../../../../requests/http-event.ts';
import { expectModeled } from '../../../webhook-models.ts';
import { ownOrganization } from '../../own-organization.ts';
import { webhookStage } from '../../stage/webhook-stage.ts';

const stage = webhookStage();

describe('POST …/deliveries/{deliveryId}/replay', () => {
  test('sends one that failed for good once more, with the same webhook-id and the same bytes', async () => {
    const id = await stage.fail();
    stage.answer = { status: 204 };
    const { status, json } = await stage.ask(replayDelivery, { deliveryId: id });
    expect(status).toBe(200);
    expect(json()).toMatchObject({ id, state: 'Pending' });
    await stage.deliver();
    expect((await stage.list()).items).toMatchObject([{ id, state: 'Confirmed', attemptCount: 2 }]);
    const [first, second] = stage.received;
    expect(second?.headers['webhook-id']).toBe(id);
    expect(second?.body).toBe(first?.body);
  });

  test('one that still waits for an attempt is not replayed', async () => {
    const { status, json } = await stage.ask(replayDelivery, { deliveryId: await stage.happen() });
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'DeliveryNotFinished' });
  });

  test('one that is not there is not found', async () => {
    const { status, json } = await stage.ask(replayDelivery, { deliveryId: randomUUID() });
    expect(status).toBe(404);
    expect(json()).toMatchObject({ code: 'DeliveryNotFound' });
  });
});

describe('POST …/deliveries/replay', () => {
  test('sends all that failed for good once more, and only those', async () => {
    const failed = [await stage.fail(), await stage.fail()];
    stage.answer = { status: 200 };
    await stage.happen();
    await stage.deliver();
    const { status, json } = await stage.ask(replayFailed);
    expect(status).toBe(200);
    expect(json()).toEqual({ replayed: 2, more: false });
    stage.received = [];
    await stage.deliver();
    expect(stage.received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(failed.toSorted());
    expect((await stage.list({ state: 'Exhausted' })).items).toEqual([]);
  });
});

describe('POST …/webhooks/{webhookId}/test', () => {
  test('sends an event of type WebhookTest to this webhook alone, with its own authentication', async () => {
    await stage.register();
    const { status, json } = await stage.ask(sendTest);
    expect(status).toBe(200);
    const { deliveryId } = json() as { deliveryId: string };
    await stage.deliver();
    expect(stage.received).toHaveLength(1);
    expect(stage.received[0]?.headers).toMatchObject({
      authorization: 'Bearer a-long-random-token',
      'webhook-id': deliveryId,
      'content-type': 'application/json; charset=utf-8',
    });
    expectModeled(WEBHOOKS, JSON.parse(stage.received[0]?.body ?? ''));
    expect(JSON.parse(stage.received[0]?.body ?? '')).toEqual({
      type: 'WebhookTest',
      data: {
        webhookId: stage.webhookId,
        date: expect.any(String),
        organization: {
          id: stage.orgId,
          name: 'Own',
          identifier: '11222333000181',
          owner: { id: shownId('owner', 'owner'), name: 'Owner' },
        },
      },
    });
  });
});

describe('a webhook’s deliveries', () => {
  const operations: [string, Endpoint][] = [
    ['listing', listDeliveries],
    ['reading', getDelivery],
    ['replaying', replayDelivery],
    ['replaying all', replayFailed],
    ['testing', sendTest],
  ];

  test.each(operations)('%s: those of another organization do not exist for the key', async (_, handler) => {
    const { orgId, webhookId } = stage;
    const theirs = { orgId, webhookId, deliveryId: await stage.happen() };
    const own = await ownOrganization();
    for (const params of [theirs, { ...theirs, orgId: own.orgId }]) {
      const { status, text } = await call(handler, { params, headers: { 'X-API-Key': own.key } });
      expect(status).toBe(404);
      expect(text).toMatch(/OrganizationNotFound|WebhookNotFound/);
    }
  });

  test.each(operations)('%s: a personal organization has none', async (_, handler) => {
    const personal = await ownOrganization({ identifier: null });
    const { status, json } = await call(handler, {
      params: { orgId: personal.orgId, webhookId: stage.webhookId, deliveryId: randomUUID() },
      headers: { 'X-API-Key': personal.key },
    });
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'OperationNotSupportedInPersonalOrganizations' });
  });
});
