import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { type Deadline, deadlineIn } from '../../../shared/async/deadline.ts';
import { platformClient } from '../../../shared/platform/client.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../shared/platform/errors.ts';
import { startServer } from '../net/a-server.ts';
import { failureOf } from './a-client.ts';

const MB = 1_048_576;

let respond: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
const folder = mkdtempSync(join(tmpdir(), 'sinete-platform-'));
const path = join(folder, 'signed.pdf');

const server = await startServer((request, response) => void respond(request, response));
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const pauses: number[] = [];
const clientOf = (requestTimeoutMs = 60_000) =>
  platformClient({ address: server.url, apiKey: 'app|secret', requestTimeoutMs }, async (ms) => {
    pauses.push(ms);
  });
const within = (ms = 60_000): Deadline => deadlineIn(ms, Date.now);

const CHUNK = Buffer.alloc(65_536, 'sinete ');

function* flow(length: number): Generator<Buffer> {
  for (let left = length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
}
const fileOf = (length: number) => ({
  stream: Readable.from(flow(length), { objectMode: false }),
  length,
  fileName: 'large.pdf',
  contentType: 'application/pdf',
});
const hashOf = (length: number) => {
  const hash = createHash('sha256');
  for (const chunk of flow(length)) hash.update(chunk);
  return hash.digest('hex');
};

/** Reads a form to its end as it arrives. */
async function readForm(request: IncomingMessage): Promise<{ length: number; head: string; tail: string }> {
  let length = 0;
  let head = '';
  let tail = '';
  for await (const chunk of request) {
    length += chunk.length;
    if (head === '') head = chunk.toString('latin1');
    tail = (tail + chunk.toString('latin1')).slice(-60);
  }
  return { length, head, tail };
}

describe('a streamed upload', () => {
  test('arrives as a form of the announced length', async () => {
    let form: Awaited<ReturnType<typeof readForm>> | undefined;
    let headers: IncomingMessage['headers'] = {};
    respond = async (request, response) => {
      headers = request.headers;
      form = await readForm(request);
      response.end('{"id":"u1"}');
    };
    const upload = await clientOf().uploadStream(fileOf(3 * MB + 7), within());
    expect(upload).toEqual({ uploadId: 'u1', fileName: 'large.pdf' });
    expect(form?.length).toBe(Number(headers['content-length']));
    expect(form?.head).toMatch(
      /^--(sinete-[-\w]+)\r\ncontent-disposition: form-data; name="file"; filename="large.pdf"\r\n/,
    );
    expect(form?.tail).toMatch(/\r\n--sinete-[-\w]+--\r\n$/);
    expect(headers['transfer-encoding']).toBeUndefined();
  });

  test('fails with the failure of its source, which is not the platform’s', async () => {
    respond = (request) => request.resume();
    const file = fileOf(MB);
    const lost = new Error('The store lost the file.');
    const stream = Readable.from(
      (function* () {
        yield CHUNK;
        throw lost;
      })(),
      { objectMode: false },
    );
    expect(await failureOf(clientOf().uploadStream({ ...file, stream }, within()))).toBe(lost);
  });

  test.each([-1, 1])('fails when the source has %i bytes more than it announced', async (more) => {
    respond = (request) => request.resume();
    const file = { ...fileOf(MB), length: MB - more };
    const error = await failureOf(clientOf().uploadStream(file, within()));
    expect([error.name, error.message]).toEqual(['Error', expect.stringContaining(`${MB - more} bytes`)]);
    expect(file.stream.destroyed).toBe(true);
  });

  test.each([
    ['refused before the file is read', 422, PlatformRefused],
    ['answered 500 before the file is read', 500, PlatformUnreachable],
  ])('ends when it is %s, and closes its source', async (_, status, kind) => {
    respond = (_request, response) => response.writeHead(status).end('{"code":"No"}');
    const file = fileOf(64 * MB);
    expect(await failureOf(clientOf().uploadStream(file, within()))).toBeInstanceOf(kind);
    expect(file.stream.destroyed).toBe(true);
  });

  test('is not repeated when the platform is busy: its source is read once', async () => {
    respond = (request, response) =>
      request.resume().on('end', () => response.writeHead(429, { 'retry-after': '9' }).end('{}'));
    const error = await failureOf(clientOf().uploadStream(fileOf(MB), within()));
    expect([error.name, error.retryAfterMs, pauses]).toEqual(['PlatformUnreachable', 9_000, []]);
  });

  test('ends when the platform takes no more bytes, or takes all and says nothing', async () => {
    for (const listen of [() => undefined, (request: IncomingMessage) => request.resume()]) {
      respond = listen;
      const file = fileOf(64 * MB);
      expect(await failureOf(clientOf(200).uploadStream(file, within()))).toBeInstanceOf(PlatformUnreachable);
      expect(file.stream.destroyed).toBe(true);
    }
  });

  test('ends with the deadline, and reads no further than the platform takes', async () => {
    respond = () => undefined;
    let taken = 0;
    const counted = function* () {
      for (const chunk of flow(64 * MB)) {
        taken += chunk.length;
        yield chunk;
      }
    };
    const file = { ...fileOf(64 * MB), stream: Readable.from(counted(), { objectMode: false }) };
    const upload = clientOf().uploadStream(file, within(500));
    expect(await failureOf(upload)).toBeInstanceOf(PlatformUnreachable);
    // What fits into the buffers of two sockets.
    expect(taken / MB).toBeLessThan(16);
  });

  test('closes its source when there is no time left', async () => {
    const file = fileOf(MB);
    expect(await failureOf(clientOf().uploadStream(file, within(0)))).toBeInstanceOf(PlatformUnreachable);
    expect(file.stream.destroyed).toBe(true);
  });
});

describe('a download', () => {
  const serve = (length: number, headers: Record<string, string> = {}) => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-length': String(length), ...headers });
      // The client may go first.
      pipeline(Readable.from(flow(length), { objectMode: false }), response).catch(() => undefined);
    };
  };

  test('is written to its path, with the name and type that the platform gives', async () => {
    serve(3 * MB + 7, {
      'content-disposition': `attachment; filename="x.pdf"; filename*=UTF-8''..%2Fprocura%C3%A7%C3%A3o.pdf`,
      'content-type': 'application/pdf',
    });
    const downloaded = await clientOf().downloadSigned('d1', path, within());
    expect(downloaded).toEqual({
      length: 3 * MB + 7,
      fileName: 'procuração.pdf',
      contentType: 'application/pdf',
    });
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(hash).toBe(hashOf(3 * MB + 7));
  });

  test('asks for the signed version with the key', async () => {
    const asked: unknown[] = [];
    respond = (request, response) => {
      asked.push(request.url, request.headers['x-api-key']);
      response.end('signed');
    };
    expect(await clientOf().downloadSigned('d/1', path, within())).toEqual({ length: 6 });
    expect(asked).toEqual(['/api/documents/d%2F1/content?type=Signatures', 'app|secret']);
  });

  test.each([
    ['a length', { 'content-length': '1000' }],
    ['chunks', {}],
  ])('that breaks off is an outage, and leaves no file: %s', async (_, headers) => {
    respond = (request, response) => {
      response.writeHead(200, headers);
      response.write('half of it', () => request.socket.destroy());
    };
    const error = await failureOf(clientOf().downloadSigned('d1', path, within()));
    expect(error).toBeInstanceOf(PlatformUnreachable);
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ['a length', { 'content-length': '1001' }],
    ['chunks', {}],
  ])('that is longer than it may be is an outage, and leaves no file: %s', async (_, headers) => {
    respond = (_request, response) => response.writeHead(200, headers).end(Buffer.alloc(1_001));
    const error = await failureOf(clientOf().downloadSigned('d1', path, within(), 1_000));
    expect(error).toBeInstanceOf(PlatformUnreachable);
    expect(error).toMatchObject({ message: expect.stringContaining('more than 1000 bytes') });
    expect(existsSync(path)).toBe(false);
    expect(await clientOf().downloadSigned('d1', path, within(), 1_001)).toMatchObject({ length: 1_001 });
  });

  test('that stands still is an outage', async () => {
    respond = (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('half');
    const error = await failureOf(clientOf(200).downloadSigned('d1', path, within()));
    expect(error).toBeInstanceOf(PlatformUnreachable);
    expect(existsSync(path)).toBe(false);
  });

  test('ends with the deadline, though bytes still come', async () => {
    respond = (_request, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    };
    const error = await failureOf(clientOf().downloadSigned('d1', path, within(200)));
    expect(error).toBeInstanceOf(PlatformUnreachable);
  });

  test('that is refused leaves the file that was there', async () => {
    writeFileSync(path, 'before');
    respond = (_request, response) => response.writeHead(422).end('{"code":"ContentNotAvailable"}');
    const error = await failureOf(clientOf().downloadSigned('d1', path, within()));
    expect(error).toMatchObject({ status: 422, code: 'ContentNotAvailable' });
    expect(readFileSync(path, 'utf8')).toBe('before');
  });

  test('is repeated when the platform is busy, longer than a request may take', async () => {
    let calls = 0;
    respond = (_request, response) => {
      calls += 1;
      if (calls > 1) response.end('signed');
      else response.writeHead(429, { 'retry-after': '5' }).end('{}');
    };
    expect(await clientOf().downloadSigned('d1', path, within())).toEqual({ length: 6 });
    expect(pauses.splice(0)).toEqual([5_000]);
  });

  test('fails with the failure of the disk, which is not the platform’s, and lets go of the answer', async () => {
    serve(64 * MB);
    const missing = join(folder, 'missing', 'signed.pdf');
    const error = await failureOf(clientOf().downloadSigned('d1', missing, within()));
    expect(error).toMatchObject({ code: 'ENOENT' });
  });
});

/** Uploads and downloads a file of this length, and returns the peak memory of the process. */
async function peakMemory(length: number): Promise<number> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  respond = async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-length': String(length) });
      return pipeline(Readable.from(flow(length), { objectMode: false }), response);
    }
    let received = 0;
    for await (const chunk of request) received += chunk.length;
    response.end(JSON.stringify({ id: String(received > length) }));
  };
  expect((await clientOf().uploadStream(fileOf(length), within())).uploadId).toBe('true');
  expect((await clientOf().downloadSigned('d1', path, within())).length).toBe(length);
  clearInterval(watch);
  return peak;
}

test('300 MB go up and come down in the memory that 12 MB take', async () => {
  const small = await peakMemory(12 * MB);
  const large = await peakMemory(300 * MB);
  // A margin for memory that is not collected yet. A file held whole would make the difference 288 MB or more.
  expect((large - small) / MB).toBeLessThan(150);
});
