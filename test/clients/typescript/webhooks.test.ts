import { randomBytes, randomUUID } from 'node:crypto';
import express from 'express';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Delivery,
  NoEvent,
  parseEvent,
  type ReceiverOptions,
  rememberEvents,
  type WebhookEvent,
  webhookReceiver,
} from '../../../clients/typescript/src/webhooks/index.ts';
import { WEBHOOKS as CREDENTIALS } from '../../../functions/credentials/events/contract.ts';
import { WEBHOOKS as DOCUMENTS } from '../../../functions/documents/contract/events.ts';
import { WEBHOOKS as PKI } from '../../../functions/pki/callouts/contract.ts';
import { authorizationOf, signatureHeaders } from '../../../shared/webhooks/registrations/credentials.ts';
import { AUTH_TYPES } from '../../../shared/webhooks/webhook.ts';
import { runs } from '../../faults/fuzz.ts';
import { FRAMEWORKS, type Sent, startExpress } from './frameworks.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const NOW_MS = Date.UTC(2026, 10, 18);
const BODY = JSON.stringify(DOCUMENTS.DocumentSigned?.example);

type Handled = { readonly event: WebhookEvent; readonly delivery: Delivery };
const handled: Handled[] = [];
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  handled.length = 0;
  for (const stop of stops.splice(0)) await stop();
});

const receiverOf = (more: Partial<ReceiverOptions> = {}) =>
  webhookReceiver({
    ...{ authType: 'ApiKey', token: 'the token', secret: SECRET, now: () => NOW_MS },
    handle: (event, delivery) => void handled.push({ event, delivery }),
    ...more,
  });

/** A delivery as the services send it. */
const deliveryOf = (
  body = BODY,
  { id = randomUUID() as string, atMs = NOW_MS, secret = SECRET } = {},
): Sent => ({
  headers: {
    'content-type': 'application/json; charset=utf-8',
    ...authorizationOf('ApiKey', 'the token'),
    ...{ 'webhook-id': id, 'x-correlation-id': 'call-1' },
    ...signatureHeaders(secret, id, body, atMs),
  },
  body,
});

async function open(framework: keyof typeof FRAMEWORKS, more: Partial<ReceiverOptions> = {}) {
  const opened = await FRAMEWORKS[framework]?.(receiverOf(more));
  if (!opened) throw new Error(`There is no ${framework}.`);
  if (opened.stop) stops.push(opened.stop);
  return opened.send;
}

describe.each(Object.keys(FRAMEWORKS))('a webhook in %s', (framework) => {
  test('is handled once, and a repeat is confirmed', async () => {
    const send = await open(framework);
    const delivery = deliveryOf();
    expect((await send(delivery)).status).toBe(204);
    expect((await send(delivery)).status).toBe(204);
    expect(handled).toEqual([
      {
        event: JSON.parse(BODY),
        delivery: { id: delivery.headers['webhook-id'], correlationId: 'call-1' },
      },
    ]);
  });

  test('is refused where anything about it is wrong', async () => {
    const send = await open(framework);
    const right = deliveryOf();
    const without = (name: string): Sent => {
      const { [name]: _, ...headers } = right.headers;
      return { ...right, headers };
    };
    const large = JSON.stringify({ type: 'DocumentSigned', data: { name: 'x'.repeat(1_100_000) } });
    const cases: [number, Sent][] = [
      [401, without('x-api-key')],
      [401, { ...right, headers: { ...right.headers, 'x-api-key': 'the tokeN' } }],
      [401, { ...right, body: BODY.replace('contract', 'contracT') }],
      [401, without('webhook-signature')],
      [413, deliveryOf(large)],
      [400, deliveryOf('{"type":""}')],
      [400, deliveryOf('type=DocumentSigned')],
      [400, deliveryOf(BODY, { id: 'no id' })],
    ];
    for (const [status, sent] of cases) {
      const answer = await send(sent);
      expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(/^The .+\.$/)]);
    }
    expect((await send({ ...right, method: 'PUT', body: '' })).status).toBe(405);
    expect(handled).toEqual([]);
  });

  test('comes again after a failure', async () => {
    let fails = true;
    const send = await open(framework, {
      handle: (event, delivery) => {
        if (fails) throw new Error('The database is down.');
        handled.push({ event, delivery });
      },
    });
    const delivery = deliveryOf();
    // Lambda answers 502 for a function that throws.
    const failed = await send(delivery).catch((error: Error) => ({ status: 500, text: error.message }));
    expect(failed).toMatchObject({ status: 500, text: 'The database is down.' });
    fails = false;
    expect((await send(delivery)).status).toBe(204);
    expect(handled).toHaveLength(1);
  });
});

test.each(AUTH_TYPES)('the header of the authType %s is checked', async (authType) => {
  const token = authType === 'Basic' ? Buffer.from('me:secret').toString('base64') : 'a-long-token';
  const receive = receiverOf({ authType, token, secret: undefined });
  const statusOf = async (headers: Record<string, string>) => {
    const all: Record<string, string> = { 'webhook-id': randomUUID(), ...headers };
    const answer = await receive({
      ...{ method: 'POST', header: (name) => all[name] },
      body: async () => Buffer.from(BODY),
    });
    return answer.status;
  };
  expect(await statusOf(authorizationOf(authType, token))).toBe(204);
  const wrong = authType === 'NoAuth' ? 204 : 401;
  expect(await statusOf({})).toBe(wrong);
  expect(await statusOf(authorizationOf(authType, `${token}x`))).toBe(wrong);
  expect(await statusOf({ authorization: `bearer ${token}`, 'x-api-key': '' })).toBe(wrong);
});

describe('a signature', () => {
  test.each([
    ['of five minutes ago is taken', { atMs: NOW_MS - 300_000 }, 204],
    ['that is older is refused: it may be a replay', { atMs: NOW_MS - 301_000 }, 401],
    ['of the future is refused', { atMs: NOW_MS + 301_000 }, 401],
    ['with another secret is refused', { secret: `whsec_${randomBytes(32).toString('base64')}` }, 401],
  ])('%s', async (_, how, status) => {
    const send = await open('Hono');
    expect((await send(deliveryOf(BODY, how))).status).toBe(status);
  });

  test('is one of several while a secret is replaced, and no other version counts', async () => {
    const send = await open('Hono');
    const sentWith = (signatureOf: (right: string) => string): Sent => {
      const { headers, body } = deliveryOf();
      const right = headers['webhook-signature'] ?? '';
      return { headers: { ...headers, 'webhook-signature': signatureOf(right) }, body };
    };
    expect((await send(sentWith((right) => `v1,AAAA v1,%% ${right}`))).status).toBe(204);
    expect((await send(sentWith((right) => right.replace('v1,', 'v2,')))).status).toBe(401);
  });
});

describe('a receiver', () => {
  test('does not confirm an event that is still at work', async () => {
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const send = await open('Hono', { handle: () => done });
    const delivery = deliveryOf();
    const first = send(delivery);
    // The first has begun when the second is told so.
    await expect.poll(async () => await send(delivery)).toMatchObject({ status: 503, retryAfter: '30' });
    finish();
    expect((await first).status).toBe(204);
    expect((await send(delivery)).status).toBe(204);
  });

  test('says what is missing when it is made', () => {
    expect(() => receiverOf({ token: '' })).toThrow('The token of the webhook is missing');
    expect(() => receiverOf({ token: undefined, authType: 'Bearer' })).toThrow('The token of the webhook');
    expect(() => receiverOf({ secret: 'secret' })).toThrow('The secret of the webhook');
    expect(() => receiverOf({ authType: 'NoAuth', token: undefined, secret: undefined })).not.toThrow();
  });

  test('behind express.json says what to do: there are no bytes left to check', async () => {
    const { send, stop } = await startExpress(receiverOf(), express.json());
    stops.push(stop);
    expect(await send(deliveryOf())).toMatchObject({
      status: 500,
      text: expect.stringContaining('before express.json()'),
    });
  });
});

test('events are remembered up to a number, the oldest forgotten first', () => {
  const seen = rememberEvents(2);
  for (const id of ['a', 'b', 'c']) {
    expect(seen.begin(id)).toBe('new');
    expect(seen.begin(id)).toBe('running');
    seen.end(id, true);
  }
  expect(seen.begin('b')).toBe('handled');
  expect(seen.begin('c')).toBe('handled');
  expect(seen.begin('a')).toBe('new');
  seen.end('a', false);
  expect(seen.begin('a')).toBe('new');
});

describe('reading an event', () => {
  test('gives every event of every service as it is declared', () => {
    for (const { example } of Object.values({ ...DOCUMENTS, ...CREDENTIALS, ...PKI }))
      expect(parseEvent(Buffer.from(JSON.stringify(example)))).toEqual(example);
  });

  test('types it by its type', () => {
    const event = parseEvent(BODY);
    if (event.type !== 'DocumentSigned') throw new Error(event.type);
    const name: string = event.data.signature.name;
    expect(name).toBe('Ana Souza');
  });

  test.each([
    '',
    'null',
    '[]',
    '{"data":{}}',
    '{"type":1,"data":{}}',
    '{"type":"A"}',
    '{"type":"A","data":[]}',
  ])('takes nothing else: %s', (body) => expect(() => parseEvent(body)).toThrow(NoEvent));
});

test('a receiver takes whatever comes: it answers, and handles nothing that it has not checked', async () => {
  const receive = receiverOf();
  const names = ['x-api-key', 'authorization', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.constant('the token')));
  await fc.assert(
    fc.asyncProperty(headers, fc.uint8Array({ maxLength: 100 }), async (given, body) => {
      const answer = await receive({
        ...{ method: 'POST', header: (name) => given[name], body: async () => body },
      });
      expect(answer.status).toBe(401);
    }),
    { numRuns: runs(500) },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (body) => {
      const { headers: signed } = deliveryOf(body);
      const answer = await receive({
        ...{ method: 'POST', header: (name) => signed[name], body: async () => Buffer.from(body) },
      });
      expect(answer.status).toBe(400);
    }),
    { numRuns: runs(500) },
  );
  expect(handled).toEqual([]);
});
