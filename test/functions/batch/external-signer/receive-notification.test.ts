import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { runs } from '../../../faults/fuzz.ts';
import { countCalls } from '../../../measure/calls.ts';
import type { Request } from '../../../requests/http-event.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { givenSession, withCookie } from '../auth/operator.ts';
import { BOUND, cited, DISABLED_FOLDER, notificationStage, SECRET } from './notification-stage.ts';

const { send, notify, waiting, countedBy } = notificationStage();
const one = () => ({ type: 'DocumentSigned', data: cited() });

describe('a notification of a document in a bound folder', () => {
  test('is accepted, and its document is to be read again', async () => {
    const notification = one();
    const counted = await countedBy(async () => {
      const { status, json } = await send(notification);
      expect([status, json()]).toEqual([202, { outcome: 'accepted' }]);
    });
    expect(await waiting()).toEqual([notification.data.id]);
    expect(counted).toEqual({ accepted: 1 });
  });

  test('may cite a hundred documents, of which those in bound folders are read, in a few calls', async () => {
    const bound = Array.from({ length: 90 }, () => cited());
    const others = Array.from({ length: 10 }, () => cited(randomUUID()));
    // No commit folds the counts: that is a transaction more.
    const { mockRestore } = vi.spyOn(Math, 'random').mockReturnValue(0.9);
    onTestFinished(mockRestore);
    const { byCommand } = await countCalls(() => send(notify(...bound, ...others)));
    expect(await waiting()).toEqual(bound.map(({ id }) => id).toSorted());
    expect(byCommand.TransactWriteItems).toBe(2);
  });

  test('names the folder in any case', async () => {
    const folderId = 'aaaaaaaa-bbbb-4bbb-8bbb-cccccccccccc';
    expect((await send(notify(cited(BOUND.toUpperCase())))).json()).toEqual({ outcome: 'accepted' });
    expect((await send(notify(cited(folderId)))).json()).toEqual({ outcome: 'ignored' });
  });

  test('does no harm when it is repeated, together or one after the other', async () => {
    const notification = notify(cited(), cited());
    const counted = await countedBy(async () => {
      await Promise.all(Array.from({ length: 10 }, () => send(notification)));
      for (let n = 0; n < 10; n++) await send(notification);
    });
    expect(await waiting()).toEqual(notification.data.documents.map(({ id }) => id).toSorted());
    expect(counted).toEqual({ accepted: 20 });
  });

  test('leads to the same in whatever order its events come', async () => {
    const document = cited();
    for (const type of ['DocumentConcluded', 'DocumentSigned', 'DocumentDeleted', 'Anything'])
      expect((await send({ type, data: document })).json()).toEqual({ outcome: 'accepted' });
    expect(await waiting()).toEqual([document.id]);
  });

  test('is also found among documents that it repeats', async () => {
    const document = cited();
    expect((await send(notify(document, document))).json()).toEqual({ outcome: 'accepted' });
    expect(await waiting()).toEqual([document.id]);
  });
});

describe('a notification of anything else', () => {
  test.each([
    ['another folder', notify(cited(randomUUID()))],
    ['the folder of a disabled profile', notify(cited(DISABLED_FOLDER))],
    ['no folder', notify(cited(null))],
    ['no document', notify()],
    ['a folder that nobody knows', { type: 'DocumentSigned', data: { id: randomUUID() } }],
    ['a test of the webhook', { type: 'WebhookTest', data: { webhookId: randomUUID() } }],
  ])('is ignored: %s', async (_, notification) => {
    const counted = await countedBy(async () => {
      const { status, json } = await send(notification);
      expect([status, json()]).toEqual([202, { outcome: 'ignored' }]);
    });
    expect(await waiting()).toEqual([]);
    expect(counted).toEqual({ ignored: 1 });
  });

  test('is ignored without an external service: nobody could read the document', async () => {
    vi.stubEnv('Signer__ApiKey', '');
    expect((await send(one())).json()).toEqual({ outcome: 'ignored' });
  });
});

describe('whoever has not the secret', () => {
  test.each([
    ['no header', {}],
    ['another secret', { authorization: `Bearer ${SECRET}x` }],
    ['a part of it', { authorization: `Bearer ${SECRET.slice(0, -1)}` }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['the scheme alone', { authorization: 'Bearer' }],
    ['no scheme', { authorization: SECRET }],
    ['Basic', { authorization: `Basic ${SECRET}` }],
    ['Basic of a user', { authorization: `Basic ${Buffer.from(`x:${SECRET}`).toString('base64')}` }],
    ['two of them', { authorization: [`Bearer ${SECRET}`, `Bearer ${SECRET}`] }],
    ['the secret as a key', { 'x-api-key': SECRET }],
    ['the key', { 'x-api-key': SANDBOX_KEY }],
    ['the key as a bearer token', { authorization: `Bearer ${SANDBOX_KEY}` }],
  ])('is refused: %s', async (_, headers) => {
    const counted = await countedBy(async () => {
      const { status, json } = await send(one(), { headers: { authorization: '', ...headers } });
      expect([status, json()]).toMatchObject([401, { code: 'signer-notification.unauthorized' }]);
    });
    expect(await waiting()).toEqual([]);
    expect(counted).toEqual({ unauthorized: 1 });
  });

  test('is refused with the cookie of an operator', async () => {
    const { headers } = withCookie(await givenSession(), { authorization: '' });
    const { json } = await send(one(), { headers });
    expect(json()).toMatchObject({ status: 401, code: 'signer-notification.unauthorized' });
  });

  test('has nothing of its body read, whatever it says of it', async () => {
    const said: Record<string, string>[] = [
      { 'content-encoding': 'gzip' },
      { 'content-type': 'image/png' },
      {},
    ];
    for (const other of said) {
      const headers = { ...other, authorization: 'Bearer forged' };
      let isRead = false;
      const bodyStream = new Readable({
        highWaterMark: 0,
        read() {
          isRead = true;
          this.push(null);
        },
      });
      expect((await send(undefined, { headers, bodyStream })).status).toBe(401);
      expect(isRead).toBe(false);
    }
  });

  test('the name of the scheme is in any case (RFC 9110)', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      expect((await send(one(), { headers: { authorization: `${scheme} ${SECRET}` } })).status).toBe(202);
  });

  test('gets 404 where no secret is configured, whatever it sends', async () => {
    vi.stubEnv('Signer__WebhookSecret', '');
    const counted = await countedBy(async () => {
      for (const authorization of ['', 'Bearer ', 'Bearer x', `Bearer ${SECRET}`]) {
        const { status, json } = await send(one(), { headers: { authorization } });
        expect([status, json()]).toMatchObject([404, { code: 'signer-notification.not-configured' }]);
      }
    });
    expect(counted).toEqual({ unauthorized: 4 });
  });
});

describe('an unreadable notification', () => {
  const json = { 'content-type': 'application/json' };
  const padded = JSON.stringify({ ...one(), padding: 'x'.repeat(1_048_576) });
  const requests: readonly (readonly [string, Request])[] = [
    ['nothing', { body: '', headers: json }],
    ['no JSON', { body: '{"type":', headers: json }],
    ['no text', { body: Buffer.from([0xff, 0xfe, 0x00]), headers: json }],
    ['another media type', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['no media type', { body: JSON.stringify(one()) }],
    ['an encoding', { body: JSON.stringify(one()), headers: { ...json, 'content-encoding': 'gzip' } }],
    ['too large', { body: padded, headers: json }],
    [
      'announced too large',
      { bodyStream: Readable.from(['{}']), headers: { ...json, 'content-length': '2000000' } },
    ],
    ['deeply nested', { body: `${'['.repeat(5_000)}${']'.repeat(5_000)}`, headers: json }],
    ...[
      null,
      [],
      'text',
      {},
      { type: 'DocumentSigned' },
      { data: cited() },
      { type: 7, data: cited() },
      { type: '', data: cited() },
      { type: 'DocumentSigned', data: {} },
      { type: 'DocumentSigned', data: { id: 7, folder: { id: BOUND } } },
      { type: 'DocumentSigned', data: { id: '', folder: { id: BOUND } } },
      { type: 'DocumentSigned', data: { id: '..', folder: { id: BOUND } } },
      { type: 'DocumentSigned', data: { id: 'x'.repeat(101), folder: { id: BOUND } } },
      { type: 'DocumentSigned', data: { id: randomUUID(), folder: BOUND } },
      { type: 'DocumentSigned', data: { id: randomUUID(), folder: {} } },
      { type: 'DocumentsCreated', data: { documents: {} } },
      { type: 'DocumentsCreated', data: { documents: [null] } },
      { type: 'DocumentsCreated', data: { documents: [cited(), { name: 'no id' }] } },
      { type: 'DocumentsCreated', data: { documents: Array.from({ length: 1_001 }, () => cited()) } },
    ].map(
      (body) => [JSON.stringify(body).slice(0, 80), { body: JSON.stringify(body), headers: json }] as const,
    ),
  ];
  test.each(requests)('is refused with 400: %s', async (_, request) => {
    const counted = await countedBy(async () => {
      const { status, json: answered } = await send(undefined, request);
      expect([status, answered()]).toMatchObject([400, { code: 'request.invalid' }]);
    });
    expect(await waiting()).toEqual([]);
    expect(counted).toEqual({ unreadable: 1 });
  });

  test('any value is answered 202 or 400, and counted as such', async () => {
    const statuses: number[] = [];
    const counted = await countedBy(() =>
      fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (value) => {
          const { status } = await send(undefined, { body: JSON.stringify(value), headers: json });
          statuses.push(status);
          return status === 400 || status === 202;
        }),
        { numRuns: runs(100) },
      ),
    );
    expect(counted.unreadable ?? 0).toBe(statuses.filter((status) => status === 400).length);
  });
});

test('more than 600 in a minute from one address are throttled, and all are counted', async () => {
  const address = randomUUID();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 16, 12, 0, 20) });
  const document = cited();
  const statuses: Record<number, number> = {};
  const counted = await countedBy(async () => {
    for (let n = 0; n < 60; n++) {
      const some = await Promise.all(
        Array.from({ length: 10 }, (_, k) =>
          k === 0
            ? send({ type: 'DocumentSigned', data: document }, { address })
            : send(one(), { address, headers: { authorization: 'Bearer forged' } }),
        ),
      );
      for (const { status } of some) statuses[status] = (statuses[status] ?? 0) + 1;
    }
    const { byCommand } = await countCalls(async () => {
      for (let n = 0; n < 50; n++) {
        const refused = await send(one(), { address });
        expect([refused.status, refused.json()]).toMatchObject([429, { code: 'rate-limited' }]);
        expect(refused.headers['retry-after']).toBe('40');
      }
    });
    // The process has counted them itself, and asks the store for nothing.
    expect(byCommand.UpdateItem).toBeUndefined();
  });
  vi.useRealTimers();
  expect(statuses).toEqual({ 202: 60, 401: 540 });
  expect(counted).toEqual({ accepted: 60, unauthorized: 540, throttled: 50 });
});

describe('what cannot be taken now', () => {
  const timeout = Object.assign(new Error('ETIMEDOUT'), { name: 'TimeoutError', $metadata: {} });
  const throttled = new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
  const canceled = new TransactionCanceledException({
    message: 'canceled',
    $metadata: {},
    CancellationReasons: [{ Code: 'ThrottlingError' }],
  });

  const isUnavailable = async () => {
    const { result } = await logOf(() => send(one()));
    expect([result.status, result.json()]).toMatchObject([503, { code: 'signer-notification.unavailable' }]);
  };

  /** Commands of this name fail, all of them where none is named, while something is done. */
  async function whileFailing(command: string, error: Error, work: () => Promise<unknown>): Promise<void> {
    dynamo().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (commandName.startsWith(command)) throw error;
          return next(args);
        },
      { step: 'initialize', name: 'failing' },
    );
    try {
      await work();
    } finally {
      dynamo().middlewareStack.remove('failing');
    }
  }

  test('is refused with 503 while too many checks wait, but not one that waits already', async () => {
    vi.stubEnv('Signer__MaxWaitingChecks', '3');
    const [first, second, third] = [cited(), cited(), cited()];
    const counted = await countedBy(async () => {
      expect((await send(notify(first, second, third))).status).toBe(202);
      await isUnavailable();
      expect((await send(notify(second))).status).toBe(202);
    });
    expect(await waiting()).toEqual([first.id, second.id, third.id].toSorted());
    expect(counted).toEqual({ accepted: 2, unavailable: 1 });
  });

  test('has the checks made where too many wait, so that there is room for the next one', async () => {
    vi.stubEnv('Signer__MaxWaitingChecks', '1');
    await send(one());
    const { byCommand } = await countCalls(isUnavailable);
    expect(byCommand.SendMessageBatch).toBe(1);
  });

  test.each([
    ['the rate window', 'UpdateItem', timeout],
    ['the profiles', 'Query', timeout],
    ['the checks', 'BatchGetItem', throttled],
    ['the transaction', 'TransactWriteItems', canceled],
    ['an error that nobody knows', 'TransactWriteItems', new Error('unknown')],
  ])('is refused with 503 where the store fails: %s', async (_, command, error) => {
    const counted = await countedBy(() => whileFailing(command, error, isUnavailable));
    expect(await waiting()).toEqual([]);
    expect(counted).toEqual({ unavailable: 1 });
  });

  test('is counted with the next notification where the store that counts fails too', async () => {
    const counted = await countedBy(async () => {
      await whileFailing('', timeout, async () => {
        for (let n = 0; n < 5; n++) await isUnavailable();
      });
      await send(one());
    });
    expect(counted).toEqual({ unavailable: 5, accepted: 1 });
  });
});
