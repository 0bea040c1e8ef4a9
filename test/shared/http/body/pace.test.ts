import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { anyBody, jsonBody } from '../../../../shared/http/body/reader.ts';
import { type Answered, call } from '../../../requests/http-event.ts';
import { sample } from '../sample.ts';

const declaration = { summary: 'Take', access: 'public', answers: { 200: z.object({}) } } as const;
const take = sample().endpoint(
  { ...declaration, route: 'POST /take', body: jsonBody(z.object({})), maxBodyBytes: () => 1_048_576 },
  async () => ({}),
);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const send = (bodyStream: Readable, handler = take) =>
  call(handler, { headers: { 'content-type': 'application/json' }, bodyStream });

/** What has arrived is taken before the clock goes on. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

test('a body that trickles is refused with what is asked of it, and its sender is let go', async () => {
  const body = new Readable({ read() {} });
  const answered = send(body);
  for (let second = 0; second < 10; second++) {
    body.push(' ');
    await pass(1);
  }
  const { status, json } = await answered;
  expect([status, json()]).toMatchObject([
    408,
    {
      code: 'Invalid',
      details: { reason: 'the body arrives too slowly', minBytes: '10240', windowSeconds: '10' },
    },
  ]);
  expect(body.destroyed).toBe(true);
});

test('a body that is slow and steady is taken, however long it is', async () => {
  const body = new Readable({ read() {} });
  const answered = send(body);
  for (let second = 0; second < 60; second++) {
    body.push(' '.repeat(1_100));
    await pass(1);
  }
  body.push('{}');
  body.push(null);
  expect((await answered).status).toBe(200);
});

test('a reader that takes its time is no fault of the sender', async () => {
  const goOn = Promise.withResolvers<void>();
  const slow = sample().endpoint(
    { ...declaration, route: 'POST /slow', body: anyBody() },
    async ({ body }) => {
      const stream = body.stream();
      await goOn.promise;
      for await (const _ of stream);
      return {};
    },
  );
  const body = Readable.from(
    Array.from({ length: 40 }, () => Buffer.alloc(16_384)),
    { objectMode: false },
  );
  const answered: Promise<Answered> = send(body, slow);
  await pass(30);
  goOn.resolve();
  expect((await answered).status).toBe(200);
});
