import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { Documents, NoAnswer, Refused } from '../../../clients/typescript/src/index.ts';
import { forFile } from '../../runner/for-file.ts';
import { startServer } from '../../shared/net/a-server.ts';

// Servers, stores and what stands between them, as they are on a bad day.

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const MEGABYTE = Buffer.alloc(1_048_576, ' ');
let answers: Answer[] = [];
let calls: string[] = [];
let sentBytes = 0;
let receivedBytes: number[] = [];
const { url } = await forFile(
  startServer(async (request, response) => {
    calls.push(`${request.method} ${request.url}`);
    const answer = answers.shift() ?? json('{}');
    if (answer === cutUpload) return answer(request, response);
    try {
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      receivedBytes.push(size);
    } catch {
      // The client has given up.
      return;
    }
    answer(request, response);
  }),
);
beforeEach(() => {
  answers = [];
  calls = [];
  receivedBytes = [];
  sentBytes = 0;
});

const json =
  (text: string): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
const status =
  (code: number, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end();
/** Begins an answer, and ends the connection before its end. */
const cutAnswer: Answer = (request, response) =>
  response.writeHead(200).write('{"id":', () => request.socket.destroy());
/** Begins an answer, and says no more. */
const stall: Answer = (_, response) => void response.writeHead(200).write('{"id":');
/** Ends the connection in the middle of what it is sent. */
const cutUpload: Answer = (request) => request.once('data', () => request.socket.destroy());
/** Sends until nobody listens any more. */
const endless =
  (code: number): Answer =>
  (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed) {
        sentBytes += MEGABYTE.length;
        if (!response.write(MEGABYTE)) return void response.once('drain', more);
      }
    };
    more();
  };

const documents = (more = {}) => new Documents({ url, key: 'app|key', ...more });
const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('an answer', () => {
  test('that is cut off is asked for again, where that does nothing twice', async () => {
    answers = [cutAnswer, json('{"id":"a"}')];
    expect(await documents().getDocument({ id: 'a' })).toEqual({ id: 'a' });
    answers = [cutAnswer];
    const failure = await failureOf(documents().createActionUrl({ id: 'a', body: { identifier: '1' } }));
    expect(failure).toBeInstanceOf(NoAnswer);
    expect(calls).toHaveLength(3);
  });

  test('that begins and never ends is over with the time of the call', async () => {
    answers = [stall];
    const failure = await failureOf(documents().getDocument({ id: 'a' }, { timeoutMs: 50 }));
    expect(failure).toMatchObject({ name: 'NoAnswer', message: 'getDocument: no answer came in time.' });
    expect(calls).toHaveLength(1);
  });

  test('that is no JSON names the address, and is not asked for again', async () => {
    answers = [json('<html>Welcome</html>')];
    const failure = await failureOf(documents().getDocument({ id: 'a' }));
    expect(failure).toMatchObject({
      name: 'NoAnswer',
      message: `getDocument: the answer is no JSON. Is ${url}/api/documents/a a service of Sinete?`,
    });
    expect(calls).toHaveLength(1);
  });

  test('that refuses without end is read as far as a refusal may go', async () => {
    answers = [endless(418)];
    expect(await failureOf(documents().getDocument({ id: 'a' }))).toMatchObject({
      name: 'Refused',
      code: 'Status418',
    });
    expect(sentBytes).toBeLessThan(64 * MEGABYTE.length);
  });

  test('with a file that never ends is a stream: it is read as far as somebody reads it', async () => {
    answers = [endless(200)];
    const { body } = await documents().getContent({ id: 'a' });
    for await (const chunk of body ?? []) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(sentBytes).toBeLessThan(64 * MEGABYTE.length);
  });
});

describe('a store', () => {
  const led: Answer = (request, response) => status(302, { location: `${url}/store` })(request, response);

  test('that refuses a download is a refusal, and never the file', async () => {
    answers = [led, status(403)];
    const failure = await failureOf(documents().getContent({ id: 'a' }));
    expect(failure).toBeInstanceOf(Refused);
    expect(failure).toMatchObject({ operation: 'getContent', status: 403 });
  });

  test('that has too much to do is led to once more', async () => {
    answers = [led, status(503, { 'retry-after': '0' }), led, json('content')];
    expect(await (await documents().getContent({ id: 'a' })).text()).toBe('content');
    expect(calls).toHaveLength(4);
  });

  test('that cuts an upload off, is busy, or limits callers, gets the whole of it again', async () => {
    const place = JSON.stringify({ id: 'u', method: 'PUT', url: `${url}/store`, headers: {} });
    const file = new File([MEGABYTE, MEGABYTE, MEGABYTE, MEGABYTE, MEGABYTE], 'large.pdf');
    const busy = [status(503, { 'retry-after': '0' }), status(429, { 'retry-after': '0' })];
    answers = [json(place), cutUpload, ...busy, status(200)];
    expect(await documents().upload(file, { timeoutMs: 60_000 })).toBe('u');
    expect(calls.filter((call) => call === 'PUT /store')).toHaveLength(4);
    expect(receivedBytes.at(-1)).toBe(file.size);
  });

  test('that never takes an upload is given up with the time of the call, or by its signal', async () => {
    const place = JSON.stringify({ id: 'u', method: 'PUT', url: `${url}/store`, headers: {} });
    const file = new File(Array(5).fill(MEGABYTE), 'large.pdf');
    const silent: Answer = () => undefined;
    answers = [json(place), silent];
    expect(await failureOf(documents().upload(file, { timeoutMs: 100 }))).toBeInstanceOf(NoAnswer);
    const stop = new AbortController();
    answers = [json(place), () => stop.abort(new Error('enough'))];
    expect(await failureOf(documents().upload(file, { signal: stop.signal }))).toMatchObject({
      message: 'enough',
    });
  });
});

test('a call may have as much time as there is', async () => {
  expect(await documents().getDocument({ id: 'a' }, { timeoutMs: Number.POSITIVE_INFINITY })).toEqual({});
});
