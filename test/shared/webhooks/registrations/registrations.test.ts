import { describe, expect, test, vi } from 'vitest';
import { collection } from '../../../../shared/store/collection.ts';
import type { WebhookEngine } from '../../../../shared/webhooks/engine.ts';
import { credentialsOf } from '../../../../shared/webhooks/registrations/credentials.ts';
import {
  getWebhook,
  listWebhooks,
  registrationsOf,
} from '../../../../shared/webhooks/registrations/lookup.ts';
import {
  addWebhook,
  removeAllWebhooks,
  removeWebhook,
  replaceWebhook,
  setWebhook,
} from '../../../../shared/webhooks/registrations/registrations.ts';
import type { Webhook, WebhookRequest } from '../../../../shared/webhooks/webhook.ts';
import { ring } from '../../../certificates/rings.ts';
import { anEngine } from '../an-engine.ts';

const REQUEST: WebhookRequest = { url: 'http://127.0.0.1:9/hook', authType: 'Bearer', token: 'abc' };
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

const kept = async (engine: WebhookEngine, owner: string, id: string) => {
  const webhook = await getWebhook(engine, owner, id);
  const opened = webhook && (await credentialsOf(engine, webhook));
  return opened && 'plain' in opened ? opened.plain : opened;
};

describe('what authenticates deliveries', () => {
  test('is sealed in the store, for this webhook and address alone', async () => {
    const { engine, owner, register } = anEngine();
    await register({ ...REQUEST, token: 'a-long-token', secret: SECRET });
    const [stored] = (await registrationsOf(engine).get(owner))?.webhooks ?? [];
    if (!stored) throw new Error('The webhook was not kept.');
    expect(JSON.stringify(stored)).not.toMatch(/a-long-token|whsec_/);
    const plain = { token: 'a-long-token', secret: SECRET };
    expect(await credentialsOf(engine, stored)).toEqual({ plain });
    expect(await credentialsOf(engine, { ...stored, url: 'http://127.0.0.1:9/theirs' })).toEqual({
      problem: expect.stringContaining('sealed for another record'),
    });
    vi.stubEnv('Sealing__Keys', ring(8));
    expect(await credentialsOf(engine, stored)).toEqual({
      problem: expect.stringContaining('which Sealing:Keys does not have'),
    });
    vi.unstubAllEnvs();
  });

  test('of webhooks from before it was sealed is read, and sealed by the next change of the list', async () => {
    const { engine, owner, register, now } = anEngine();
    const old = {
      id: 'old',
      owner,
      url: REQUEST.url,
      authType: 'Bearer' as const,
      token: 'old',
      createdAtMs: now(),
    };
    await registrationsOf(engine).create({ owner, webhooks: [old] });
    expect(await credentialsOf(engine, old)).toEqual({ plain: { token: 'old' } });
    await register(REQUEST);
    expect(await getWebhook(engine, owner, 'old')).not.toHaveProperty('token');
    expect(await kept(engine, owner, 'old')).toEqual({ token: 'old' });
  });

  test('says which setting is missing where no key is set', async () => {
    const { register } = anEngine();
    vi.stubEnv('Sealing__Keys', '');
    await expect(register(REQUEST)).rejects.toThrow('Sealing:Keys (Sealing__Keys) is not set');
    vi.unstubAllEnvs();
  });
});

describe('webhooks of an owner', () => {
  test('are listed in the order they were added, with what was registered', async () => {
    const { engine, owner, now } = anEngine();
    await addWebhook(engine, owner, REQUEST);
    await addWebhook(engine, owner, { url: 'http://127.0.0.1:9/b', authType: 'NoAuth', secret: SECRET });
    const listed = await listWebhooks(engine, owner);
    expect(listed).toMatchObject([
      { url: REQUEST.url, authType: 'Bearer', owner, createdAtMs: now() },
      { url: 'http://127.0.0.1:9/b', authType: 'NoAuth' },
    ]);
    expect(await Promise.all(listed.map(({ id }) => kept(engine, owner, id)))).toEqual([
      { token: 'abc' },
      { token: '', secret: SECRET },
    ]);
    expect(await getWebhook(engine, owner, listed[1]?.id ?? '')).toEqual(listed[1]);
    expect(await getWebhook(engine, 'another', listed[1]?.id ?? '')).toBeUndefined();
  });

  test('are as many as the policy says, even when all are added at once', async () => {
    const { engine, owner } = anEngine({ policy: { maxPerOwner: 3 } });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => addWebhook(engine, owner, REQUEST)));
    expect(
      outcomes.filter((outcome) => 'refused' in outcome && outcome.refused === 'limit-reached'),
    ).toHaveLength(5);
    expect(await listWebhooks(engine, owner)).toHaveLength(3);
  });

  test('make room when one is removed', async () => {
    const { engine, owner, register } = anEngine({ policy: { maxPerOwner: 1 } });
    const { id } = await register(REQUEST);
    expect(await removeWebhook(engine, owner, id)).toBe(true);
    expect(await removeWebhook(engine, owner, id)).toBe(false);
    expect(await addWebhook(engine, owner, REQUEST)).not.toHaveProperty('refused');
  });

  test('are all removed with their owner', async () => {
    const { engine, owner, register } = anEngine();
    await register(REQUEST);
    await register(REQUEST);
    expect(await removeAllWebhooks(engine, owner)).toBe(2);
    expect(await removeAllWebhooks(engine, owner)).toBe(0);
    expect(await listWebhooks(engine, owner)).toEqual([]);
  });

  test('may come with the settings, beside those of the table', async () => {
    const fixed = {
      id: 'billing',
      owner: 'instance',
      createdAtMs: 0,
      token: '',
      authType: 'NoAuth' as const,
    };
    const { engine, owner, register } = anEngine({
      fixed: (of) => (of === 'instance' ? [{ ...fixed, url: 'http://127.0.0.1:9/' }] : []),
    });
    const { id } = await register(REQUEST);
    expect((await listWebhooks(engine, owner)).map((webhook) => webhook.id)).toEqual([id]);
    expect((await listWebhooks(engine, 'instance')).map((webhook) => webhook.id)).toEqual(['billing']);
    expect(await removeWebhook(engine, 'instance', 'billing')).toBe(false);
  });
});

describe('a webhook that is replaced', () => {
  test('keeps its id and its place, and has the new address and token', async () => {
    const { engine, owner, register } = anEngine();
    const first = await register(REQUEST);
    const second = await register(REQUEST);
    const request: WebhookRequest = { url: 'http://127.0.0.1:9/new', authType: 'ApiKey', token: 'k' };
    expect(await replaceWebhook(engine, owner, first.id, request)).toMatchObject({
      id: first.id,
      url: request.url,
    });
    const listed = await listWebhooks(engine, owner);
    expect(listed).toMatchObject([
      { id: first.id, url: request.url, authType: 'ApiKey' },
      { id: second.id, url: REQUEST.url, authType: 'Bearer' },
    ]);
    expect(await Promise.all(listed.map(({ id }) => kept(engine, owner, id)))).toMatchObject([
      { token: 'k' },
      { token: 'abc' },
    ]);
  });

  test('has no token with NoAuth', async () => {
    const { engine, owner, register } = anEngine();
    const { id } = await register(REQUEST);
    await replaceWebhook(engine, owner, id, { ...REQUEST, authType: 'NoAuth' });
    expect(await kept(engine, owner, id)).toEqual({ token: '' });
  });

  test('keeps its secret when none is named, and loses it for null', async () => {
    const { engine, owner, register } = anEngine();
    const { id } = await register({ ...REQUEST, secret: SECRET });
    await replaceWebhook(engine, owner, id, REQUEST);
    expect(await kept(engine, owner, id)).toEqual({ token: 'abc', secret: SECRET });
    await replaceWebhook(engine, owner, id, { ...REQUEST, secret: null });
    expect(await kept(engine, owner, id)).toEqual({ token: 'abc' });
  });

  test('asks for its secret again with another address, and takes the same, a new one or none', async () => {
    const { engine, owner, register } = anEngine();
    const { id } = await register({ ...REQUEST, secret: SECRET });
    const elsewhere = { ...REQUEST, url: 'http://127.0.0.1:9/elsewhere' };
    expect(await replaceWebhook(engine, owner, id, elsewhere)).toMatchObject({ refused: 'secret-required' });
    expect(await getWebhook(engine, owner, id)).toMatchObject({ url: REQUEST.url });
    await replaceWebhook(engine, owner, id, { ...elsewhere, secret: SECRET });
    expect(await kept(engine, owner, id)).toEqual({ token: 'abc', secret: SECRET });
    await replaceWebhook(engine, owner, id, { ...REQUEST, secret: null });
    expect(await replaceWebhook(engine, owner, id, elsewhere)).toMatchObject({ url: elsewhere.url });
  });

  test('must be one of its owner', async () => {
    const { engine, owner, register } = anEngine();
    const { id } = await register(REQUEST);
    expect(await replaceWebhook(engine, 'another', id, REQUEST)).toMatchObject({ refused: 'not-found' });
    expect(await replaceWebhook(engine, owner, 'another', REQUEST)).toMatchObject({ refused: 'not-found' });
  });
});

describe('the only webhook of an owner', () => {
  const notes = (owner: string) =>
    collection<{ owner: string; note: string }, string>({
      service: 'documents',
      name: 'note',
      id: (note) => note.owner,
      key: () => ({ pk: `NOTE#${owner}`, sk: 'NOTE' }),
    });

  test('is set in one commit with what belongs to it, and keeps its id when it is set again', async () => {
    const { engine, owner } = anEngine();
    const set = async (request: WebhookRequest, note: string) =>
      setWebhook(engine, owner, request, [notes(owner).putting({ owner, note })]);
    const first = await set(REQUEST, 'first');
    const moved = { ...REQUEST, url: 'http://127.0.0.1:9/moved', token: 'def' };
    const second = await set(moved, 'second');
    expect(first).toMatchObject({ url: REQUEST.url });
    expect(await listWebhooks(engine, owner)).toMatchObject([
      { id: (first as Webhook).id, url: moved.url, authType: 'Bearer' },
    ]);
    expect(await kept(engine, owner, (second as Webhook).id)).toEqual({ token: 'def' });
    expect(await notes(owner).get(owner)).toMatchObject({ note: 'second' });
  });

  test('is removed in one commit, and pending deliveries stop', async () => {
    const { engine, owner, register, happen, run, all } = anEngine();
    const { id } = await register(REQUEST);
    await happen();
    expect(
      await setWebhook(engine, owner, undefined, [notes(owner).putting({ owner, note: 'off' })]),
    ).toBeUndefined();
    expect(await listWebhooks(engine, owner)).toEqual([]);
    expect(await notes(owner).get(owner)).toMatchObject({ note: 'off' });
    await run(id);
    expect(await all(id)).toEqual([]);
  });

  test('that is refused leaves everything as it was', async () => {
    const { engine, owner } = anEngine();
    await setWebhook(engine, owner, REQUEST, [notes(owner).putting({ owner, note: 'first' })]);
    const refused = await setWebhook(engine, owner, { ...REQUEST, url: 'ftp://x/' }, [
      notes(owner).putting({ owner, note: 'second' }),
    ]);
    expect(refused).toMatchObject({ refused: 'bad-address' });
    expect(await listWebhooks(engine, owner)).toMatchObject([{ url: REQUEST.url }]);
    expect(await notes(owner).get(owner)).toMatchObject({ note: 'first' });
  });

  test('is what its note says, however many set it at once', async () => {
    const { engine, owner } = anEngine();
    const urls = Array.from({ length: 6 }, (_, n) => `http://127.0.0.1:9/${n}`);
    await Promise.all(
      urls.map((url, n) =>
        setWebhook(engine, owner, n % 2 ? undefined : { ...REQUEST, url }, [
          notes(owner).putting({ owner, note: n % 2 ? 'off' : url }),
        ]),
      ),
    );
    const [webhook] = await listWebhooks(engine, owner);
    expect((await notes(owner).get(owner))?.note).toBe(webhook?.url ?? 'off');
  });
});

describe('a request is refused', () => {
  const refusals: [string, Partial<WebhookRequest>, string][] = [
    ['an address that is none', { url: 'not an address' }, 'bad-address'],
    ['a scheme that is not HTTP', { url: 'ftp://example.com/' }, 'bad-address'],
    ['a user name in the address', { url: 'http://user:pass@127.0.0.1/' }, 'bad-address'],
    ['an address without end', { url: `http://127.0.0.1/${'a'.repeat(2_048)}` }, 'bad-address'],
    ['no token where one is sent', { token: undefined }, 'bad-token'],
    ['an empty token', { token: '' }, 'bad-token'],
    ['a token that HTTP cannot carry', { token: 'a\r\nx: y' }, 'bad-token'],
    ['a token that HTTP would trim', { token: ' a' }, 'bad-token'],
    ['a token that is not ASCII', { token: 'é' }, 'bad-token'],
    ['a token without end', { token: 'a'.repeat(4_097) }, 'bad-token'],
    ['a secret without its prefix', { secret: SECRET.slice(6) }, 'bad-secret'],
    ['a secret that is too short', { secret: `whsec_${Buffer.alloc(23).toString('base64')}` }, 'bad-secret'],
    ['a secret that is too long', { secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 'bad-secret'],
    ['a secret that is not base64', { secret: 'whsec_!!!!' }, 'bad-secret'],
  ];

  test.each(refusals)('for %s, when it is added and when it replaces another', async (_, wrong, refused) => {
    const { engine, owner, register } = anEngine();
    const { id } = await register(REQUEST);
    const added = await addWebhook(engine, owner, { ...REQUEST, ...wrong });
    const replaced = await replaceWebhook(engine, owner, id, { ...REQUEST, ...wrong });
    expect([added, replaced]).toMatchObject([{ refused }, { refused }]);
    expect(JSON.stringify([added, replaced])).not.toContain('pass@');
    expect(await listWebhooks(engine, owner)).toMatchObject([{ id, url: REQUEST.url }]);
    expect(await kept(engine, owner, id)).toEqual({ token: 'abc' });
  });
});
