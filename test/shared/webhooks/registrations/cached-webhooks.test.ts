import { afterEach, describe, expect, test, vi } from 'vitest';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import {
  cachedWebhook,
  cachedWebhooks,
  dropCachedWebhooks,
  registrationsOf,
} from '../../../../shared/webhooks/registrations/lookup.ts';
import { removeWebhook, replaceWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import type { Webhook } from '../../../../shared/webhooks/webhook.ts';
import { countCalls } from '../../../measure/calls.ts';
import { anEngine } from '../an-engine.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const URL = 'http://127.0.0.1:9/';
const NOTICE = { type: 'DocumentSigned', data: {} };

/** An owner whose list another process can change: the cache of this one is not told. */
function aWorld() {
  const world = anEngine();
  const { engine, owner } = world;
  const changeElsewhere = async (change: (webhooks: readonly Webhook[]) => readonly Webhook[]) => {
    const current = await registrationsOf(engine).get(owner);
    const webhooks = change(current?.webhooks ?? []);
    await registrationsOf(engine).put({ owner, webhooks });
  };
  return { ...world, changeElsewhere };
}
const aWebhook = (owner: string, id: string): Webhook => ({
  id,
  owner,
  url: URL,
  authType: 'NoAuth',
  createdAtMs: 0,
});

describe('the webhooks of an owner, for an event', () => {
  test('cost no call when they were read just now, even where there are none', async () => {
    const { engine, owner, register } = aWorld();
    const record = () => recording(engine, owner, [NOTICE]);
    expect((await countCalls(record)).byCommand).toEqual({ GetItem: 1 });
    expect((await countCalls(record)).total).toBe(0);
    await register({ url: URL });
    expect((await countCalls(record)).byCommand).toEqual({ GetItem: 1 });
    expect((await countCalls(record)).total).toBe(0);
  });

  test('are as this process has changed them, at once', async () => {
    const { engine, owner, register } = aWorld();
    expect(await cachedWebhooks(engine, owner)).toEqual([]);
    const { id } = await register({ url: URL });
    expect(await cachedWebhooks(engine, owner)).toMatchObject([{ id, url: URL }]);
    await replaceWebhook(engine, owner, id, { url: `${URL}new`, authType: 'NoAuth' });
    expect(await cachedWebhooks(engine, owner)).toMatchObject([{ id, url: `${URL}new` }]);
    await removeWebhook(engine, owner, id);
    expect(await cachedWebhooks(engine, owner)).toEqual([]);
  });

  test('are as another process has changed them when the cache has ended', async () => {
    const { engine, owner, changeElsewhere } = aWorld();
    expect(await cachedWebhooks(engine, owner)).toEqual([]);
    await changeElsewhere(() => [aWebhook(owner, 'new')]);
    expect(await cachedWebhooks(engine, owner)).toEqual([]);
    dropCachedWebhooks(engine, owner);
    expect(await cachedWebhooks(engine, owner)).toMatchObject([{ id: 'new' }]);
  });

  test('are read every time where Access:CacheSeconds is 0', async () => {
    vi.stubEnv('Access__CacheSeconds', '0');
    const { engine, owner, changeElsewhere } = aWorld();
    expect(await cachedWebhooks(engine, owner)).toEqual([]);
    await changeElsewhere(() => [aWebhook(owner, 'new')]);
    expect(await cachedWebhooks(engine, owner)).toMatchObject([{ id: 'new' }]);
  });

  // this process   |--reads the list: it has no webhook `new`              |--a delivery for `new` arrives
  // another                        |--registers `new`--records an event for it
  test('that the cache lacks are looked for: a new webhook is not taken for a removed one', async () => {
    const { engine, owner, changeElsewhere } = aWorld();
    expect(await cachedWebhooks(engine, owner)).toEqual([]);
    await changeElsewhere(() => [aWebhook(owner, 'new')]);
    expect(await cachedWebhook(engine, owner, 'new')).toMatchObject({ id: 'new' });
    expect(await cachedWebhook(engine, owner, 'another')).toBeUndefined();
  });
});
