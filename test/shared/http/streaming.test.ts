import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { hubStyle } from '../../../functions/hub/error-style.ts';
import { sessionStyle } from '../../../functions/session/error-style.ts';
import { type Answer, empty, file, json } from '../../../shared/http/answer.ts';
import { EMPTY, fileOf } from '../../../shared/http/declaration.ts';
import { httpEvent, lambdaContext } from '../../http-event.ts';
import { logOf } from './log-of.ts';
import { sample } from './sample.ts';
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
  const { head, broken } = await stream(flowing(() => file(source, 'application/pdf')));
  expect([head, broken]).toEqual([undefined, true]);
});

test('a stream that fails half way is cut short, so that nobody takes it for whole', async () => {
  const source = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('the store hung up');
    })(),
  );
  const { ended, broken } = await stream(flowing(() => file(source, 'application/pdf')));
  expect([ended, broken]).toEqual([false, true]);
});

// serverless-offline has the global of Lambda's runtime and calls every function alike; a library makes it and leaves it empty.
const HOSTS = {
  'has nothing of the kind': () => delete host.awslambda,
  'has it and does not use it': () => vi.stubEnv('IS_OFFLINE', 'true'),
  'has an empty one': () => Object.assign(host, { awslambda: {} }),
};

test.each(Object.entries(HOSTS))('where the host %s, the same endpoint answers whole', async (_, become) => {
  become();
  const handler = flowing(() => file(Readable.from(['who', 'le']), 'application/pdf'));
  vi.unstubAllEnvs();
  const answered = await handler(httpEvent(), lambdaContext());
  expect(answered).toMatchObject({ statusCode: 200, isBase64Encoded: true, body: btoa('whole') });
});

test('an endpoint that does not ask to stream never does', async () => {
  const handler = sample().endpoint({ ...declaration, streams: false }, async () => empty(204));
  expect(await handler(httpEvent(), lambdaContext())).toMatchObject({ statusCode: 204, body: '' });
});
