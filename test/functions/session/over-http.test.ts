import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { cleanUp, type EngineProcess, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { pdfOf } from './pdfs.ts';

// The limits of requests, through the running engine. The platform is one that takes what it is given and does nothing
// with it, so that what is tried is the way there: ours signs some of these in a second each.

const LIMIT = 10_485_760;
const MB = 1_048_576;
const BOUNDARY = 'a-boundary-that-is-in-no-document';
const key = { 'x-api-key': SANDBOX_KEY };

const ANSWERS: readonly (readonly [RegExp, (bytes: number) => unknown])[] = [
  [/uploads$/, () => ({ id: crypto.randomUUID() })],
  [/documents$/, () => [{ documentId: crypto.randomUUID() }]],
  [
    /certificate$/,
    () => ({
      success: true,
      token: 't',
      toSignHash: Buffer.alloc(32).toString('base64'),
      digestAlgorithm: 'SHA256',
    }),
  ],
  [/signature$/, () => ({ success: true })],
];

let platform: Server;
let engine: EngineProcess;
let base: string;
const sizes: number[] = [];

beforeAll(async () => {
  platform = createServer(async (request, response) => {
    let size = 0;
    for await (const chunk of request) size += chunk.length;
    if (request.url?.endsWith('uploads')) sizes.push(size);
    const [, answer] = ANSWERS.find(([path]) => path.test(String(request.url))) ?? [];
    response.end(JSON.stringify(answer?.(size) ?? {}));
  });
  await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  // Half a gigabyte takes its time on a busy machine, and the budget runs from the first byte.
  const env = { Signer__BaseAddress: address, Signing__RequestBudget: '100' };
  engine = await startEngineProcess({ env });
  await engine.ready();
  base = `${engine.url}/session`;
}, 120_000);
afterAll(async () => {
  platform.closeAllConnections();
  platform.close();
  await cleanUp();
});

async function session(): Promise<string> {
  const answer = await fetch(`${base}/v1/sessions`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify({ cpf: '52998224725', pin: '1234' }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { sessionId: string }).sessionId;
}

type Part = readonly [name: string, value: string | Buffer];

/** A form that is made as it is sent: all of it in hand would be more than a machine likes. */
function* form(parts: Iterable<Part>): Generator<Buffer> {
  for (const [name, value] of parts) {
    const file = typeof value === 'string' ? '' : '; filename="a.pdf"\r\ncontent-type: application/pdf';
    yield Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`);
    yield Buffer.from(value);
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${BOUNDARY}--\r\n`);
}

const post = (path: string, parts: Iterable<Part>, headers: Record<string, string> = key) =>
  fetch(`${base}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Readable.toWeb(Readable.from(form(parts))) as ReadableStream,
    duplex: 'half',
  } as RequestInit);

function* batch(sessionId: string, count: number, bytes: Buffer): Generator<Part> {
  yield ['sessionId', sessionId];
  for (let n = 0; n < count; n++) yield ['files', bytes];
}

/** The most memory that the functions' process has had, in megabytes. */
function peakMb(): number {
  const children = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && statusOf(pid, 'PPid') === String(engine.process.pid),
  );
  return Math.max(...children.map((pid) => Number.parseInt(statusOf(pid, 'VmHWM') ?? '0', 10) / 1024));
}

function statusOf(pid: string, field: string): string | undefined {
  try {
    return new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined; // it has ended
  }
}

describe('over HTTP', () => {
  test.each([
    [
      'JSON',
      (sessionId: string, bytes: Buffer) =>
        fetch(`${base}/v1/signatures`, {
          method: 'POST',
          headers: { ...key, 'content-type': 'application/json' },
          body: JSON.stringify({ sessionId, document: bytes.toString('base64'), fileName: 'a.pdf' }),
        }),
    ],
    [
      'a form',
      (sessionId: string, bytes: Buffer) =>
        post('/v1/signatures', [
          ['sessionId', sessionId],
          ['document', bytes],
        ]),
    ],
  ])('10 MB in %s pass, and 10 MB + 1 byte is 413 with both sizes in our envelope', async (_, sign) => {
    const sessionId = await session();
    expect((await sign(sessionId, pdfOf(LIMIT))).status).toBe(202);
    const large = await sign(sessionId, pdfOf(LIMIT + 1));
    expect(large.status).toBe(413);
    expect(await large.json()).toEqual({
      error: {
        code: 'DOCUMENT_TOO_LARGE',
        message: expect.any(String),
        details: `limitBytes: ${LIMIT}; actualBytes: ${LIMIT + 1}`,
      },
    });
    expect(large.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('fifty documents of 10 MB in one batch pass, a few in hand at a time', async () => {
    sizes.length = 0;
    const before = existsSync('/proc/self/status') ? peakMb() : 0;
    const answer = await post('/v1/signatures/batch', batch(await session(), 50, pdfOf(LIMIT)));
    const { results } = (await answer.json()) as { results: { status: string }[] };
    expect(answer.status).toBe(202);
    expect(results.map(({ status }) => status)).toEqual(Array(50).fill('PROCESSING'));
    expect(sizes).toHaveLength(50);
    expect(Math.min(...sizes)).toBeGreaterThan(LIMIT);
    // Half a gigabyte came through.
    if (before > 0) expect(peakMb() - before).toBeLessThan(400);
  }, 120_000);

  test('a form that is refused in the middle is answered, and so is the next on the same connection', async () => {
    const megabyte = pdfOf(MB);
    const tooMany = await post('/v1/signatures/batch', batch(await session(), 60, megabyte));
    expect([tooMany.status, await tooMany.text()]).toEqual([400, expect.stringContaining('INVALID_REQUEST')]);
    const expired = await post('/v1/signatures/batch', batch('none', 40, megabyte));
    expect([expired.status, await expired.text()]).toEqual([401, expect.stringContaining('SESSION_EXPIRED')]);
    const unknown = await post('/v1/signatures/batch', batch('none', 40, megabyte), {});
    expect([unknown.status, await unknown.text()]).toEqual([401, expect.stringContaining('UNAUTHORIZED')]);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  function* chunks() {
    for (let n = 0; n < 20; n++) yield Buffer.alloc(MB, 0x20);
  }
  test.each([
    ['announces its length', { body: Buffer.alloc(150 * MB + 1, 0x20) }, String(150 * MB + 1)],
    ['comes in chunks', { body: ReadableStream.from(chunks()), duplex: 'half' as const }, '1\\d{7}'],
  ])('a body that no function takes and that %s is 413 with both sizes too', async (_, sent, actual) => {
    const headers = { ...key, 'content-type': 'application/json' };
    const answer = await fetch(`${base}/v1/signatures`, { method: 'POST', headers, ...sent });
    const details = expect.stringMatching(`^limitBytes: 14782396; actualBytes: ${actual}$`);
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      { error: { code: 'DOCUMENT_TOO_LARGE', details } },
    ]);
  });

  test.each([
    '/sessions',
    '/sessions/status',
    '/signatures',
    '/certificates/info',
    '/v2/sessions',
    '/v1',
    '/v1/other',
  ])('%s is 404 ENDPOINT_NOT_FOUND', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await fetch(`${base}${path}`, { method, headers: key });
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { error: { code: 'ENDPOINT_NOT_FOUND' } },
      ]);
    }
  });
});
