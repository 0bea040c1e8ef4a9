import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { multipartBody } from '../../../../shared/http/body/multipart.ts';
import { anyBody, deferredBody, formBody, jsonBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { call } from '../../../requests/http-event.ts';
import { givenKey, sample, someAddress } from '../sample.ts';

const key = (await givenKey('sandbox', { permissions: [] })).text;

/** A body that remembers whether anyone asked for it. */
function untouched() {
  const asked = { yes: false };
  const stream = new Readable({
    highWaterMark: 0,
    read() {
      asked.yes = true;
      this.push('{}');
      this.push(null);
    },
  });
  return { asked, stream };
}

const shape = z.object({});
const limited = sample<'None'>({ rates: { None: () => ({ limit: 0, windowSeconds: 60 }) } });
const reader = oneOf(
  oneOf(jsonBody(shape), formBody(shape)),
  oneOf(multipartBody({ maxFiles: () => 1, maxFileBytes: () => 10, schema: {} }), anyBody()),
);
const declaration = {
  route: 'POST /thing',
  summary: 'Thing',
  body: reader,
  answers: { 200: shape },
} as const;

const refusedBefore = [
  ['an unknown caller', 401, limited.endpoint(declaration, async () => ({})), {}],
  [
    'a caller without the permission',
    403,
    limited.endpoint({ ...declaration, permission: 'x' }, async () => ({})),
    'key',
  ],
  [
    'a caller over its rate',
    429,
    limited.endpoint({ ...declaration, rate: 'None' }, async () => ({})),
    'key',
  ],
  [
    'a query that does not hold',
    400,
    limited.endpoint({ ...declaration, query: z.object({ page: z.string() }) }, async () => ({})),
    'key',
  ],
] as const;

const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'image/png',
];

test.each(refusedBefore)('nothing is read of the body of %s', async (_, status, handler, headers) => {
  for (const type of TYPES) {
    const { asked, stream } = untouched();
    const answered = await call(handler, {
      headers: { 'Content-Type': type, ...(headers === 'key' && { 'X-API-Key': key }) },
      address: someAddress(),
      bodyStream: stream,
    });
    expect([type, answered.status]).toEqual([type, status]);
    expect(asked.yes).toBe(false);
  }
});

test('an unknown media type is refused unread', async () => {
  const strict = sample().endpoint(
    { ...declaration, body: jsonBody(shape), access: 'public' },
    async () => ({}),
  );
  const { asked, stream } = untouched();
  const answered = await call(strict, { headers: { 'Content-Type': 'image/png' }, bodyStream: stream });
  expect([answered.status, asked.yes]).toEqual([415, false]);
});

test('an accepted caller has its body read', async () => {
  const { asked, stream } = untouched();
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
  const answered = await call(
    limited.endpoint(declaration, async () => ({})),
    { headers, bodyStream: stream },
  );
  expect([answered.status, asked.yes]).toEqual([200, true]);
});

test('a body that arrives in pieces is refused where it passes the limit', async () => {
  let taken = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        taken += 100_000;
        yield Buffer.alloc(100_000, ' ');
      }
    })(),
    { objectMode: false },
  );
  const json = sample().endpoint(
    { ...declaration, body: jsonBody(shape), access: 'public', maxBodyBytes: () => 1_048_576 },
    async () => ({}),
  );
  const answered = await call(json, { headers: { 'Content-Type': 'application/json' }, bodyStream: endless });
  expect(answered.status).toBe(413);
  expect(answered.json()).toMatchObject({ details: { limitBytes: '1048576', actualBytes: '1100000' } });
  expect(taken).toBeLessThan(2_000_000);
  expect(endless.destroyed).toBe(true);
});

test('a deferred body is refused when the endpoint reads it, and not before', async () => {
  const deferred = (isKnown: boolean) =>
    sample().endpoint(
      { ...declaration, body: deferredBody(jsonBody(shape)), access: 'public' },
      async ({ body }) => (isKnown ? body() : {}),
    );
  const requests: Record<string, string>[] = [
    { 'Content-Type': 'image/png' },
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
  ];
  for (const headers of requests) {
    const { asked, stream } = untouched();
    expect((await call(deferred(false), { headers, bodyStream: stream })).status).toBe(200);
    expect((await call(deferred(true), { headers, bodyStream: stream })).status).toBe(415);
    expect(asked.yes).toBe(false);
  }
  const { asked, stream } = untouched();
  const headers = { 'Content-Type': 'application/json' };
  expect((await call(deferred(true), { headers, bodyStream: stream })).status).toBe(200);
  expect(asked.yes).toBe(true);
});
