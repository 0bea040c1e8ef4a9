import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { get, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleRepository } from '../../sample-repository.ts';
import { serve } from '../../sample-service.ts';
import { STREAMING_SAMPLE } from './streaming-sample.ts';

const MB = 1024 * 1024;
let root: string;
let served: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  root = await sampleRepository(STREAMING_SAMPLE);
  served = await serve(root);
});

afterAll(async () => {
  await served?.stop();
  await rm(root, { recursive: true, force: true });
});

type Query = Readonly<Record<string, string | number | undefined>>;
type Seen = { open: number; sent: number; peakBytes: number };

const urlOf = (query: Query): URL => {
  const url = new URL(`${served.url}/sandbox/flow`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url;
};
const seen = async (): Promise<Seen> => (await (await fetch(`${served.url}/sandbox/seen`)).json()) as Seen;
const open = async () => (await seen()).open;

/** Asks, and hands the answer over before its body is read. */
async function begin(query: Query, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const call = get(urlOf(query), { headers, agent: false });
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return answer;
}

/** Reads an answer to its end: how many bytes came, and whether it was whole. */
async function readToEnd(answer: IncomingMessage): Promise<{ bytes: number; isWhole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  }
  return { bytes, isWhole: answer.complete };
}

const ask = async (query: Query) => readToEnd(await begin(query));

describe('a function that answers a stream under the local engine', () => {
  test('uses for 400 MB less than 64 MB more than for 1 MB', async () => {
    expect(await ask({ bytes: MB })).toEqual({ bytes: MB, isWhole: true });
    const { peakBytes: small } = await seen();
    expect(await ask({ bytes: 400 * MB })).toEqual({ bytes: 400 * MB, isWhole: true });
    const { peakBytes: large } = await seen();
    expect((large - small) / MB).toBeLessThan(64);
  });

  test('is read no faster than its caller reads', async () => {
    const answer = await begin({ bytes: 100 * MB });
    await once(answer.pause(), 'readable');
    // It has come to a stop when it has sent as much as a moment before.
    let before = -1;
    await expect
      .poll(async () => {
        const { sent } = await seen();
        const stopped = sent === before;
        before = sent;
        return stopped;
      })
      .toBe(true);
    expect(before).toBeLessThan(32 * MB);
    expect(await readToEnd(answer)).toEqual({ bytes: 100 * MB, isWhole: true });
  });

  test('has its source closed when the caller hangs up', async () => {
    const answer = await begin({ bytes: 400 * MB });
    await once(answer, 'readable');
    expect(await open()).toBe(1);
    answer.destroy();
    await expect.poll(open).toBe(0);
    expect((await seen()).sent).toBeLessThan(400 * MB);
    expect(served.said()).not.toContain('answer broken off');
  });

  test.each([
    ['fails', { failAt: MB }],
    ['closes without an error', { closeAt: MB }],
  ])('never looks whole when its source %s half way', async (_, query) => {
    const { bytes, isWhole } = await ask({ bytes: 2 * MB, ...query });
    expect(isWhole).toBe(false);
    expect(bytes).toBeLessThan(2 * MB);
    expect(await open()).toBe(0);
  });

  test('leaves a line in the log when its source fails', async () => {
    await ask({ bytes: MB, failAt: 0.5 * MB });
    await expect.poll(() => served.said()).toMatch(/answer broken off.*GET \/flow.*the store hung up/);
  });

  test.each([
    ['at its first byte', { failAt: 0 }],
    ['before it is sent', { early: 1 }],
  ])('ends the connection when its source fails %s, and serves the next caller', async (_, query) => {
    await expect(begin({ bytes: MB, ...query })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await ask({ bytes: MB })).toEqual({ bytes: MB, isWhole: true });
  });

  test('keeps its status, headers and cookies, and adds none of the source', async () => {
    const answer = await begin({ bytes: 10, length: 1, cookies: 1 });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '10',
      'content-disposition': 'attachment; filename="a.pdf"',
      'cache-control': 'no-store',
      'x-correlation-id': expect.any(String),
    });
    expect(answer.headers['set-cookie']?.map((cookie) => cookie.split(';')[0])).toEqual([
      'first=1',
      'second=2',
    ]);
    expect(answer.headers).not.toHaveProperty('x-amz-request-id');
    expect(await readToEnd(answer)).toEqual({ bytes: 10, isWhole: true });
  });

  test('is chunked where its length is not known', async () => {
    const answer = await begin({ bytes: MB });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.headers['transfer-encoding']).toBe('chunked');
    expect(await readToEnd(answer)).toEqual({ bytes: MB, isWhole: true });
  });

  test('is not compressed, as behind API Gateway', async () => {
    const answer = await begin({ bytes: MB, type: 'text/plain' }, { 'accept-encoding': 'gzip' });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(await readToEnd(answer)).toEqual({ bytes: MB, isWhole: true });
  });

  test('may answer a stream of chunks, as Readable.from makes them', async () => {
    expect(await ask({ bytes: MB, objects: 1 })).toEqual({ bytes: MB, isWhole: true });
  });

  test.each([{}, { length: 1 }])('may answer nothing with status 200 (%j)', async (query) => {
    const answer = await begin({ bytes: 0, ...query });
    expect(answer.statusCode).toBe(200);
    expect(await readToEnd(answer)).toEqual({ bytes: 0, isWhole: true });
  });

  test.each([204, 304])('has its source closed where status %i has no body', async (status) => {
    const answer = await begin({ bytes: MB, status });
    expect(answer.statusCode).toBe(status);
    expect(await readToEnd(answer)).toEqual({ bytes: 0, isWhole: true });
    expect(await open()).toBe(0);
  });

  test('is let go unread by HEAD, which gets its headers', async () => {
    const call = request(urlOf({ bytes: MB }), { method: 'HEAD', agent: false }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    expect(await readToEnd(answer)).toEqual({ bytes: 0, isWhole: true });
    expect(await open()).toBe(0);
  });
});
