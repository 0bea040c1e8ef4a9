import { describe, expect, test } from 'vitest';
import type { Resolve } from '../../../../shared/net/addresses.ts';
import { createGuardedFetch } from '../../../../shared/net/guarded.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { addWebhook, replaceWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';

const receiver = receiversOfATest();

const LOOPBACK = { address: '127.0.0.1', family: 4 };
// Space of the public internet that nobody was given: a connection to it goes nowhere.
const PUBLIC = { address: '2e00::1', family: 6 };

const PRIVATE: readonly string[] = [
  'http://127.0.0.1/',
  'http://localhost/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0.0.0.0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
];

const guarded = (resolve?: Resolve) =>
  anEngine({
    policy: { allowPrivateNetworks: false },
    connect: () => createGuardedFetch(resolve),
    ...(resolve && { resolve }),
  });

describe('an address that is not public', () => {
  test.each(PRIVATE)('is refused when a webhook is added or replaced: %s', async (url) => {
    const { engine, owner } = guarded();
    const registered = await addWebhook(engine, owner, { url: 'http://8.8.8.8/', authType: 'NoAuth' });
    const id = 'id' in registered ? registered.id : '';
    expect(await addWebhook(engine, owner, { url, authType: 'NoAuth' })).toMatchObject({
      refused: 'private-address',
    });
    expect(await replaceWebhook(engine, owner, id, { url, authType: 'NoAuth' })).toMatchObject({
      refused: 'private-address',
    });
    expect(await listWebhooks(engine, owner)).toMatchObject([{ url: 'http://8.8.8.8/' }]);
  });

  test('is refused when a name leads to it, even among public ones', async () => {
    const { engine, owner } = guarded(async () => [PUBLIC, LOOPBACK]);
    const request = { url: 'https://hooks.example/', authType: 'NoAuth' as const };
    const refused = await addWebhook(engine, owner, request);
    expect(refused).toMatchObject({ refused: 'private-address' });
    expect(JSON.stringify(refused)).not.toContain('127.0.0.1');
  });

  test('is refused when its name leads nowhere', async () => {
    const { engine, owner } = guarded(() => Promise.reject(new Error('ENOTFOUND')));
    const request = { url: 'https://hooks.example/', authType: 'NoAuth' as const };
    expect(await addWebhook(engine, owner, request)).toMatchObject({ refused: 'name-not-found' });
  });

  test('is not called though it was registered when that was allowed', async () => {
    const inbox = await receiver();
    const { engine, register, happen, run, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    const strict = { ...engine, policy: () => ({ ...engine.policy(), allowPrivateNetworks: false }) };
    await run(id, 'quick', strict);
    expect(inbox.received).toEqual([]);
    expect(await all(id)).toMatchObject([
      { state: 'Pending', last: { error: expect.stringMatching(/not on the public/) } },
    ]);
  });

  //   resolve #1: public    registered
  //   resolve #2: loopback  refused when it is called
  test('is not called when a name that was public leads to it later', async () => {
    const inbox = await receiver();
    let resolved = 0;
    const { register, happen, run, all } = guarded(async () => [resolved++ === 0 ? PUBLIC : LOOPBACK]);
    const { id } = await register({ url: `http://rebinds.example:${inbox.port}/` });
    await happen();
    await run(id);
    expect(resolved).toBe(2);
    expect(inbox.received).toEqual([]);
    expect(await all(id)).toMatchObject([
      { state: 'Pending', last: { error: expect.stringMatching(/not on the public/) } },
    ]);
  });

  test('is not called by a redirect', async () => {
    const inside = await receiver();
    const inbox = await receiver(answering(302, { location: inside.url }));
    const { register, happen, run, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect(inside.received).toEqual([]);
    expect(await all(id)).toMatchObject([{ state: 'Pending', last: { status: 302 } }]);
  });

  test('can be registered and called where the policy allows it, resolved or not', async () => {
    const { engine, owner } = anEngine({ resolve: () => Promise.reject(new Error('no resolver')) });
    expect(
      await addWebhook(engine, owner, { url: 'http://receiver.test/', authType: 'NoAuth' }),
    ).not.toHaveProperty('refused');
  });
});
