import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hubStyle } from '../../../../functions/hub/service.ts';
import { sessionStyle } from '../../../../functions/session/service.ts';
import { EMPTY, fileOf } from '../../../../shared/http/declaration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { type Answer, empty, file, json } from '../../../../shared/http/response/answer.ts';
import type { HostResult } from '../../../../shared/http/response/reply.ts';
import { httpEvent, lambdaContext } from '../../../requests/http-event.ts';
import { logOf } from '../log-of.ts';
import { sample } from '../sample.ts';
import {
  hostGlobal as awslambda,
  beginSending,
  responseStream,
  type Streamed,
  stream,
} from './streaming-host.ts';

const host = globalThis as { awslambda?: unknown };
beforeEach(() => {
  host.awslambda = awslambda;
});
afterEach(() => {
  delete host.awslambda;
});

const declaration = {
  route: 'GET /file',
  summary: 'File',
  answers: { 200: fileOf('application/pdf'), 201: z.object({}), 204: EMPTY },
  access: 'public',
  streams: true,
} as const;
const flowing = (run: () => Answer, of = sample()) => of.endpoint(declaration, async () => run());

test('an answer that streams reaches the caller before its source has ended', async () => {
  const source = new Readable({ read() {} });
  const handler = flowing(() => file(source, 'application/pdf', { name: 'a.pdf' })) as unknown as Streamed;
  const sent = beginSending();
  const done = handler(httpEvent(), responseStream(sent), lambdaContext());
  source.push('first');
  await expect.poll(() => sent.chunks.length).toBe(1);
  expect(sent.head).toMatchObject({
    statusCode: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="a.pdf"',
      'x-correlation-id': expect.any(String),
    },
  });
  expect(sent.ended).toBe(false);
  source.push('second');
  source.push(null);
  await done;
  expect(Buffer.concat(sent.chunks).toString()).toBe('firstsecond');
  expect(sent.ended).toBe(true);
});

test('bytes, JSON, cookies and refusals go the same way', async () => {
  const bytes = await stream(flowing(() => file(new Uint8Array([0, 255, 1]), 'application/pdf')));
  expect([...bytes.body]).toEqual([0, 255, 1]);

  const cookies = [{ name: 'a', value: '1' }];
  const created = await stream(flowing(() => json({}, { status: 201, cookies })));
  expect(created.body.toString()).toBe('{}');
  expect(created.head).toMatchObject({
    statusCode: 201,
    multiValueHeaders: { 'set-cookie': ['a=1; Path=/; HttpOnly; SameSite=Lax'] },
  });

  const { result: failed } = await logOf(() =>
    stream(
      flowing(
        () => {
          throw new Error('lost');
        },
        sample({ style: sessionStyle }),
      ),
    ),
  );
  expect(failed.head?.statusCode).toBe(500);
  expect(JSON.parse(failed.body.toString())).toMatchObject({ error: { code: 'Unexpected' } });
});

test('an answer with nothing in it still has its status and headers', async () => {
  const hub = sample({ style: hubStyle });
  for (const [handler, status] of [
    [flowing(() => empty(204)), 204],
    [flowing(() => file(Buffer.alloc(0), 'application/pdf')), 200],
    [flowing(() => file(Readable.from([]), 'application/pdf')), 200],
    [hub.endpoint({ ...declaration, access: 'key' }, async () => empty()), 401],
  ] as const) {
    const { head, body, ended } = await stream(handler);
    expect([head?.statusCode, body.length, ended]).toEqual([status, 0, true]);
    expect(head?.headers['x-correlation-id']).toBeDefined();
  }
});

test('a stream that fails before its first byte is never begun', async () => {
  const source = new Readable({
    read() {
      this.destroy(new Error('no such object'));
    },
  });
  const sending = await logOf(() => stream(flowing(() => file(source, 'application/pdf'))));
  const { head, broken } = sending.result;
  expect([head, broken]).toEqual([undefined, true]);
  expect(sending.lines).toMatchObject([{ message: 'answer broken off', route: 'GET /file' }]);
});

test('a stream that fails half way is cut short, so that nobody takes it for whole', async () => {
  const source = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('the store hung up');
    })(),
  );
  const { result } = await logOf(() => stream(flowing(() => file(source, 'application/pdf'))));
  expect([result.ended, result.broken]).toEqual([false, true]);
});

// A library makes the global of Lambda's runtime and leaves it empty.
const HOSTS = {
  'has nothing of the kind': () => delete host.awslambda,
  'has an empty one': () => Object.assign(host, { awslambda: {} }),
};

test.each(Object.entries(HOSTS))('where the host %s, the same endpoint answers whole', async (_, become) => {
  become();
  const handler = flowing(() => file(Readable.from(['who', 'le']), 'application/pdf'));
  const answered = await handler(httpEvent(), lambdaContext());
  expect(answered).toMatchObject({ statusCode: 200, isBase64Encoded: true, body: btoa('whole') });
});

test('an endpoint that does not ask to stream never does', async () => {
  const handler = sample().endpoint({ ...declaration, streams: false }, async () => empty(204));
  expect(await handler(httpEvent(), lambdaContext())).toMatchObject({ statusCode: 204, body: '' });
});

describe('a host that asks for a stream in the event', () => {
  beforeEach(() => {
    delete host.awslambda;
  });
  const ask = (handler: Endpoint): Promise<HostResult> =>
    handler(httpEvent({ takesStream: true }), lambdaContext());

  test('gets the source itself, unread', async () => {
    const source = new Readable({ read: () => expect.fail('read') });
    const answered = await ask(flowing(() => file(source, 'application/pdf', { length: 7 })));
    expect(answered).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'application/pdf', 'content-length': '7' },
      body: '',
      isBase64Encoded: false,
    });
    expect(answered.bodyStream).toBe(source);
  });

  test('gets all else whole', async () => {
    const bytes = await ask(flowing(() => file(Buffer.from('whole'), 'application/pdf')));
    expect(bytes).toMatchObject({ body: '', bodyBytes: Buffer.from('whole') });
    const text = await ask(flowing(() => json({}, { status: 201 })));
    expect(text).toMatchObject({ statusCode: 201, body: '{}' });
    for (const answered of [bytes, text]) expect(answered).not.toHaveProperty('bodyStream');
  });

  test('gets a whole answer of an endpoint that does not stream', async () => {
    const run = async () => file(Readable.from(['who', 'le']), 'application/pdf');
    const answered = await ask(sample().endpoint({ ...declaration, streams: false }, run));
    expect(answered).toMatchObject({ body: '', bodyBytes: Buffer.from('whole') });
    expect(answered).not.toHaveProperty('bodyStream');
  });

  test.each([
    ['is logged', undefined, 1],
    ['is not logged after the caller hung up', AbortSignal.abort(), 0],
  ])('a source that fails before it is read does not end the process, and %s', async (_, hangUp, lines) => {
    const source = new Readable({ read() {} });
    const handler = flowing(() => file(source, 'application/pdf'));
    const { lines: logged } = await logOf(async () => {
      await handler(httpEvent({ takesStream: true, ...(hangUp && { hangUp }) }), lambdaContext());
      source.destroy(new Error('the store hung up'));
      await new Promise((closed) => source.once('close', closed));
    });
    expect(logged.filter(({ message }) => message === 'answer broken off')).toHaveLength(lines);
  });
});
