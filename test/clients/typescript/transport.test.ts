import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  Batch,
  Documents,
  isRefused,
  NoAnswer,
  Refused,
  Session,
} from '../../../clients/typescript/src/index.ts';
import { forFile } from '../../runner/for-file.ts';
import { startServer } from '../../shared/net/a-server.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let answers: Answer[] = [];
const { url } = await forFile(
  startServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const answer = answers.shift() ?? json(200, {});
    answer(request, response);
  }),
);
beforeEach(() => {
  received.length = 0;
  answers = [];
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const cut: Answer = (request) => request.socket.destroy();
const NOW = { 'retry-after': '0' };

const documents = (more = {}) => new Documents({ url, key: 'app|key', ...more });
const CREATE = { body: { files: [{ id: 'a' }], flowActions: [] } };

describe('a call', () => {
  test('has its parameters in the path and the query, its key, and its body as JSON', async () => {
    answers = [json(200, { id: 'a/b' })];
    const found = await documents().getContentTicket(
      { id: 'a/b', type: 'Signatures' },
      { correlationId: 'mine' },
    );
    expect(found).toEqual({ id: 'a/b' });
    await documents().createActionUrl({ id: 'a', body: { identifier: '52998224725' } });
    expect(received.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/api/documents/a%2Fb/ticket?type=Signatures'],
      ['POST', '/api/documents/a/action-url'],
    ]);
    expect(received[0]?.headers).toMatchObject({ 'x-api-key': 'app|key', 'x-correlation-id': 'mine' });
    expect(received[1]?.body).toBe('{"identifier":"52998224725"}');
    expect(received[1]?.headers['content-type']).toBe('application/json');
  });

  test('without a parameter of its path is not sent', async () => {
    await expect(documents().getDocument({ id: '' })).rejects.toThrow('getDocument needs id.');
    expect(received).toEqual([]);
  });

  test('asks for the key each time, where it is a function', async () => {
    let calls = 0;
    const client = new Documents({ url, key: async () => `key-${++calls}` });
    await client.getDocument({ id: 'a' });
    await client.getDocument({ id: 'a' });
    expect(received.map(({ headers }) => headers['x-api-key'])).toEqual(['key-1', 'key-2']);
  });

  test('that is led to a store does not show it the key', async () => {
    answers = [
      (_, response) => response.writeHead(302, { location: '/store/file' }).end(),
      json(200, { file: 1 }),
    ];
    const answer = await documents().getDownload({ ticket: 't' });
    expect(await answer.json()).toEqual({ file: 1 });
    expect(received[1]).toMatchObject({ url: '/store/file' });
    expect(received[1]?.headers['x-api-key']).toBeUndefined();
  });
});

describe('a call is sent again', () => {
  test.each([
    [
      'one that reads, when the service is not there now',
      () => documents().getDocument({ id: 'a' }),
      json(503, {}, NOW),
    ],
    ['one that reads, when the connection is cut', () => documents().getDocument({ id: 'a' }), cut],
    ['one that deletes', () => documents().deleteDocument({ id: 'a' }), json(502, {}, NOW)],
    ['one with an idempotency key', () => documents().createDocuments(CREATE), json(503, {}, NOW)],
    [
      'any, when there were too many',
      () => documents().createActionUrl({ id: 'a', body: {} }),
      json(429, {}, NOW),
    ],
  ])('%s', async (_, call, failure) => {
    answers = [failure, failure];
    await call();
    expect(received).toHaveLength(3);
  });

  test('with the idempotency key of the first time', async () => {
    answers = [json(503, {}, NOW)];
    await documents().createDocuments(CREATE);
    await documents().createDocuments(CREATE);
    const [first, again, other] = received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    await documents().createDocuments(CREATE, { idempotencyKey: 'order-4711' });
    expect(received.at(-1)?.headers['idempotency-key']).toBe('order-4711');
  });

  test.each([
    [
      'one that changes without a key',
      () => documents().createActionUrl({ id: 'a', body: {} }),
      json(503, {}, NOW),
    ],
    [
      'one that changes without a key, when the connection is cut',
      () => documents().moveDocuments({ body: { documents: [] } }),
      cut,
    ],
    ['what is refused for good', () => documents().getDocument({ id: 'a' }), json(422, {})],
    [
      'one whose time ends before it may be',
      () => documents().getDocument({ id: 'a' }),
      json(429, {}, { 'retry-after': '3600' }),
    ],
  ])('not so: %s', async (_, call, failure) => {
    answers = [failure];
    await expect(call()).rejects.toThrow();
    expect(received).toHaveLength(1);
  });

  test('three times by default, and as often as the client says', async () => {
    answers = Array.from({ length: 9 }, () => json(503, {}, NOW));
    await expect(documents().getDocument({ id: 'a' })).rejects.toThrow();
    expect(received).toHaveLength(4);
    await expect(documents({ retries: 0 }).getDocument({ id: 'a' })).rejects.toThrow();
    expect(received).toHaveLength(5);
  });
});

describe('a call ends', () => {
  const silent: Answer = () => undefined;

  test('when its time is over: no answer, whether it was done is not known', async () => {
    answers = [silent];
    const failed = documents().getDocument({ id: 'a' }, { timeoutMs: 20 });
    await expect(failed).rejects.toThrow(NoAnswer);
    await expect(failed).rejects.toThrow('getDocument: no answer came in time.');
    expect(received).toHaveLength(1);
  });

  test('when its signal says so, with the reason of the signal, while it waits to be sent again too', async () => {
    const stop = new AbortController();
    answers = [
      (request, response) => {
        json(503, {}, { 'retry-after': '30' })(request, response);
        setImmediate(() => stop.abort(new Error('enough')));
      },
    ];
    await expect(documents().getDocument({ id: 'a' }, { signal: stop.signal })).rejects.toThrow('enough');
    await expect(documents().getDocument({ id: 'a' }, { signal: stop.signal })).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });

  test('when nobody listens, with the address', async () => {
    const nobody = new Documents({ url: 'http://127.0.0.1:1/documents', retries: 0 });
    await expect(nobody.getHealth()).rejects.toThrow('http://127.0.0.1:1/documents cannot be reached');
  });
});

const MALFORMED = { code: 'InvalidRequest', details: { field: 'files', reason: 'is required' } };

test('a client without the address of its service says what is missing', () => {
  const options = { key: 'a' } as unknown as { url: string };
  expect(() => new Documents(options)).toThrow('`url` is missing');
});

describe('a refusal', () => {
  test.each([
    [
      'of the document platform',
      json(
        422,
        { code: 'DocumentNotFound', message: 'No document.', details: { id: 'a' } },
        { 'x-correlation-id': 'c' },
      ),
      {
        code: 'DocumentNotFound',
        status: 422,
        details: { id: 'a' },
        correlationId: 'c',
        sentence: 'No document.',
        message: 'getDocument: No document.',
      },
    ],
    [
      'of the document platform, with a field',
      json(400, { ...MALFORMED, message: 'The request is malformed.' }),
      {
        details: MALFORMED.details,
        fields: [{ field: 'files', message: 'is required' }],
        message: 'getDocument: The request is malformed. files: is required',
      },
    ],
    [
      'of the PKI core, whose sentence has the fields',
      json(400, { ...MALFORMED, message: 'The request is malformed: files is required.' }),
      {
        fields: [{ field: 'files', message: 'is required' }],
        message: 'getDocument: The request is malformed: files is required.',
      },
    ],
    [
      'of batch, with fields',
      json(400, { title: 'Bad Request', code: 'request.invalid', errors: { name: ['This is required.'] } }),
      {
        code: 'request.invalid',
        fields: [{ field: 'name', message: 'This is required.' }],
        message: 'getDocument: Bad Request name: This is required.',
      },
    ],
    [
      'of the session server',
      json(401, { error: { code: 'SESSION_EXPIRED', message: 'No active session.', details: 'field: pin' } }),
      { code: 'SESSION_EXPIRED', message: 'getDocument: No active session. field: pin' },
    ],
    [
      'of the session server, with a field',
      json(400, {
        error: {
          code: 'INVALID_REQUEST',
          message: 'The request is malformed.',
          details: 'field: cpf; reason: is required',
        },
      }),
      {
        fields: [{ field: 'cpf', message: 'is required' }],
        message: 'getDocument: The request is malformed. cpf: is required',
      },
    ],
    [
      'in HTML, of something in between',
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(418).end('<p>'),
      { code: 'Status418', status: 418 },
    ],
  ])('%s is read', async (_, answer, expected) => {
    answers = [answer as Answer];
    const error = await documents({ retries: 0 })
      .getDocument({ id: 'a' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject(expected);
  });

  test('is told by its code', async () => {
    answers = [json(422, { code: 'DocumentNotFound', message: 'No document.' })];
    const error = await documents()
      .getDocument({ id: 'a' })
      .catch((reason: unknown) => reason);
    expect(isRefused(error, 'FolderNotFound', 'DocumentNotFound')).toBe(true);
    expect(isRefused(error, 'FolderNotFound')).toBe(false);
    expect(isRefused(new Error('DocumentNotFound'), 'DocumentNotFound')).toBe(false);
  });
});

describe('every item of a list', () => {
  test('by cursors', async () => {
    answers = [
      json(200, { items: [{ id: 1 }, { id: 2 }], nextCursor: 'c d' }),
      json(200, { items: [{ id: 3 }], nextCursor: null }),
    ];
    const all = await Array.fromAsync(documents().all('listDocuments', { status: 'Pending' }));
    expect(all.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(received.map(({ url }) => url)).toEqual([
      '/api/documents?status=Pending',
      '/api/documents?status=Pending&cursor=c+d',
    ]);
  });

  test('by pages, and no page is asked for behind the last', async () => {
    const page = (number: number, items: unknown[]) =>
      json(200, { items, page: number, pageSize: 2, totalCount: 4 });
    answers = [page(1, [{ id: 1 }, { id: 2 }]), page(2, [{ id: 3 }, { id: 4 }])];
    const all = await Array.fromAsync(new Batch({ url }).all('listJobs', { pageSize: 2 }));
    expect(all).toHaveLength(4);
    expect(received.map(({ url }) => url)).toEqual(['/api/jobs?pageSize=2', '/api/jobs?pageSize=2&page=2']);
  });
});

describe('a file', () => {
  const small = new File(['%PDF'], 'contrato.pdf', { type: 'application/pdf' });
  const large = new File([new Uint8Array(5 * 1024 * 1024)], 'large.pdf', { type: 'application/pdf' });
  const place = () => ({
    id: 'u',
    uploadId: 'u',
    method: 'PUT',
    url: `${url}/store`,
    headers: { 'Content-Type': 'application/pdf' },
  });

  test('that is small is sent in a form, with its name', async () => {
    answers = [json(200, { id: 'u' })];
    expect(await documents().upload(small)).toBe('u');
    expect(received[0]?.headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(received[0]?.body).toContain('filename="contrato.pdf"');
  });

  test.each([
    ['documents', () => documents().upload(large), 'u'],
    ['batch', () => new Batch({ url }).upload(large, { profile: 'payments' }), 'u'],
    ['session', () => new Session({ url }).sign('s', large), 'signed'],
  ])('that is large is put into the store: %s', async (_, call, id) => {
    answers = [json(200, place()), json(200, {}), json(202, { signatureId: 'signed' })];
    expect(await call()).toBe(id);
    expect(received[1]).toMatchObject({ method: 'PUT', url: '/store' });
    expect(received[1]?.headers['x-api-key']).toBeUndefined();
    expect(received[1]?.body).toHaveLength(large.size);
  });

  test('that the store refuses is not there', async () => {
    answers = [json(200, place()), json(403, {})];
    await expect(documents().upload(large)).rejects.toThrow('put: the store answered 403.');
  });
});
