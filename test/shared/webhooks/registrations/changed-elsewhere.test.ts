import { describe, expect, test } from 'vitest';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { sealCredentials } from '../../../../shared/webhooks/registrations/credentials.ts';
import { registrationsOf } from '../../../../shared/webhooks/registrations/lookup.ts';
import type { Webhook } from '../../../../shared/webhooks/webhook.ts';
import { countCalls } from '../../../measure/calls.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';

const receiver = receiversOfATest();
const NOTICE = { type: 'DocumentSigned', data: {} };

/** An owner whose list another process can change: nothing tells this one. */
function aWorld(options: Parameters<typeof anEngine>[0] = {}) {
  const world = anEngine(options);
  const { engine, owner } = world;
  const changeElsewhere = async (change: (webhooks: readonly Webhook[]) => readonly Webhook[]) => {
    const current = await registrationsOf(engine).get(owner);
    const changed = await Promise.all(
      change(current?.webhooks ?? []).map((webhook) => sealCredentials(engine, webhook)),
    );
    await registrationsOf(engine).put({ owner, webhooks: changed });
  };
  return { ...world, changeElsewhere };
}

describe('the webhooks of an owner, for an event', () => {
  test('cost one call, even where there are none', async () => {
    const { engine, owner } = aWorld();
    const record = () => recording(engine, owner, [NOTICE]);
    expect((await countCalls(record)).byCommand).toEqual({ BatchGetItem: 1 });
    expect((await countCalls(() => recording(engine, owner, []))).total).toBe(0);
  });

  // this process   |--an event: no webhook             |--an event: for the webhook
  // another                  |--registers it--201--|
  test('are those that another process has registered', async () => {
    const { owner, changeElsewhere, register, happen, all } = aWorld();
    await happen();
    const inbox = await receiver();
    const { id } = await register({ url: inbox.url });
    await changeElsewhere((webhooks) => [...webhooks, { ...aWebhook(owner), url: inbox.url }]);
    await happen();
    expect(await all(id)).toHaveLength(1);
    expect(await all('elsewhere')).toHaveLength(1);
  });
});

const aWebhook = (owner: string): Webhook => ({
  id: 'elsewhere',
  owner,
  url: 'http://127.0.0.1:9/',
  authType: 'NoAuth',
  createdAtMs: 0,
});

// this process   |--calls the webhook: old                         |--calls it: new
// another                           |--changes it--200--|
describe('a webhook that another process changes between two deliveries', () => {
  const send = async (change: (webhook: Webhook) => readonly Webhook[]) => {
    const [old, next] = [await receiver(), await receiver()];
    const { register, happen, run, changeElsewhere, all } = aWorld();
    const { id } = await register({ url: old.url, authType: 'Bearer', token: 'old-token' });
    await happen();
    await run(id);
    expect(old.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old-token']);
    await happen();
    await changeElsewhere(([webhook]) => (webhook ? change({ ...webhook, url: next.url }) : []));
    await run(id);
    expect(old.received).toHaveLength(1);
    return { tokens: next.received.map(({ headers }) => headers.authorization), left: await all(id) };
  };

  test('is called at its new address with its new token', async () => {
    const changed = (webhook: Webhook) => [{ ...webhook, sealed: undefined, token: 'new-token' }];
    expect((await send(changed)).tokens).toEqual(['Bearer new-token']);
  });

  test('is not called at all when it was removed', async () => {
    const { tokens, left } = await send(() => []);
    expect(tokens).toEqual([]);
    expect(left.map(({ state }) => state)).toEqual(['Confirmed']);
  });
});

// this process   |--reads the webhook: old--|--waits for a slot--|--reads it: new--|--POST
// another                                     |--changes it--200--|
test('a webhook that another process changes while an attempt waits for a slot is called as it is by then', async () => {
  const next = await receiver();
  const old = await receiver(async (_, response) => {
    await changeElsewhere((webhooks) => webhooks.map((webhook) => ({ ...webhook, url: next.url })));
    response.end();
  });
  const { register, happen, run, changeElsewhere } = aWorld({ policy: { concurrency: 1 } });
  const { id } = await register({ url: old.url });
  await happen({}, {}, {});
  await run(id);
  expect([old.received.length, next.received.length]).toEqual([1, 2]);
});
