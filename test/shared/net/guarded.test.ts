import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { Resolve } from '../../../shared/net/addresses.ts';
import { createGuardedFetch } from '../../../shared/net/guarded.ts';
import type { GuardedRequest } from '../../../shared/net/request.ts';
import { startServer } from './a-server.ts';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
// Public address space that is not allocated: a connection to it fails.
const NOWHERE = { address: '2e00::1', family: 6 };

let respond: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
const opened: { close(): Promise<void> }[] = [];

afterAll(async () => {
  await Promise.all(opened.map((fetch) => fetch.close()));
  await server.stop();
});

const fetchResolving = (resolve?: Resolve) => {
  const fetch = createGuardedFetch(resolve);
  opened.push(fetch);
  return fetch;
};
const request = (url: string, more: Partial<GuardedRequest> = {}): GuardedRequest => ({
  url,
  maxBytes: 1_000,
  timeoutMs: 2_000,
  ...more,
});
const toServer = (path = '/', more: Partial<GuardedRequest> = {}) =>
  request(server.url + path, { allowPrivateAddresses: true, ...more });

const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('The call was answered.'),
    (error: { name: string; reason: string; message: string }) => error,
  );

const server = await startServer((request, response) => respond(request, response));

describe('an address that somebody else chose', () => {
  test.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    '//example.com/',
    'example.com',
    '',
    'http://',
    'http://user@example.com/',
    'http://:secret@example.com/',
    'http://[fe80::1%25eth0]/',
    `http://example.com/${'a'.repeat(9_000)}`,
  ])('is refused when it is no plain http or https address: %s', async (url) => {
    const { name, reason, message } = await failure(fetchResolving()(request(url)));
    expect({ name, reason }).toEqual({ name: 'FetchFailed', reason: 'bad-address' });
    expect(message).not.toContain('secret');
  });

  test('is called in a private network that is named, over connections of its own', async () => {
    respond = (_, response) => response.end('here');
    const fetch = fetchResolving();
    const toLoopback = (networks: string[]) => fetch(toServer('/', { allowPrivateAddresses: networks }));
    expect((await toLoopback(['127.0.0.0/8'])).status).toBe(200);
    expect(await failure(toLoopback(['10.0.0.0/8']))).toMatchObject({ reason: 'private-address' });
    expect(await failure(toLoopback([]))).toMatchObject({ reason: 'private-address' });
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '0',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    '[ff02::1]',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ])('is refused when it is a number that is not public: http://%s', async (host) => {
    const before = server.connections();
    const { reason } = await failure(fetchResolving()(request(`http://${host}:${server.port}/`)));
    expect(reason).toBe('private-address');
    expect(server.connections()).toBe(before);
  });

  test.each(['http', 'https'])(
    'is refused when its name leads to a private machine, by %s',
    async (scheme) => {
      const before = server.connections();
      const fetch = fetchResolving(async () => [NOWHERE, LOOPBACK]);
      const { reason, message } = await failure(fetch(request(`${scheme}://inside.example:${server.port}/`)));
      expect(reason).toBe('private-address');
      expect(message).toContain('inside.example');
      expect(message).not.toContain('127.0.0.1');
      expect(server.connections()).toBe(before);
    },
  );

  test('is refused when its name is one of this machine, as the system resolves it', async () => {
    const { reason } = await failure(fetchResolving()(request(`http://localhost:${server.port}/`)));
    expect(reason).toBe('private-address');
  });

  test('is told to have no address when its name has none', async () => {
    const empty = fetchResolving(async () => []);
    const failing = fetchResolving(() => Promise.reject(new Error('ENOTFOUND at 10.0.0.53')));
    expect((await failure(empty(request('http://gone.example/')))).reason).toBe('name-not-found');
    const { reason, message } = await failure(failing(request('http://gone.example/')));
    expect(reason).toBe('name-not-found');
    expect(message).not.toContain('10.0.0.53');
  });

  //   resolve #1: public  ---- checked, connected to (goes nowhere)
  //   resolve #2: loopback     never called
  test('is connected to where its name led when it was checked, however it resolves later', async () => {
    const before = server.connections();
    let asked = 0;
    const fetch = fetchResolving(async () => [asked++ === 0 ? NOWHERE : LOOPBACK]);
    await failure(fetch(request(`http://rebinds.example:${server.port}/`, { timeoutMs: 300 })));
    expect(asked).toBe(1);
    expect(server.connections()).toBe(before);
  });

  test('is checked even when a call with permission holds a connection to it', async () => {
    respond = (_, response) => response.end('inside');
    const fetch = fetchResolving(async () => [LOOPBACK]);
    const url = `http://both.example:${server.port}/`;
    const { bytes } = await fetch(request(url, { allowPrivateAddresses: true }));
    expect(bytes.toString()).toBe('inside');
    expect((await failure(fetch(request(url)))).reason).toBe('private-address');
  });
});

describe('a call', () => {
  test('carries method, headers and body, and brings back status, headers and bytes', async () => {
    respond = async (incoming, response) => {
      const body = Buffer.concat(await incoming.toArray()).toString();
      response.writeHead(418, {
        'x-seen': `${incoming.method} ${incoming.url} ${incoming.headers['x-own']}`,
      });
      response.end(body.toUpperCase());
    };
    const headers = { 'X-Own': '1', Host: 'elsewhere.example' };
    const answer = await fetchResolving()(toServer('/a?b=c', { method: 'POST', headers, body: 'hello' }));
    expect(answer.status).toBe(418);
    expect(answer.headers['x-seen']).toBe('POST /a?b=c 1');
    expect(answer.bytes.toString()).toBe('HELLO');
  });

  test('names the host of its address and no other', async () => {
    respond = (incoming, response) => response.end(incoming.headers.host);
    const answer = await fetchResolving()(toServer('/', { headers: { host: 'elsewhere.example' } }));
    expect(answer.bytes.toString()).toBe(`127.0.0.1:${server.port}`);
  });

  test('keeps its connection for the next one', async () => {
    respond = (_, response) => response.end('ok');
    const fetch = fetchResolving();
    await fetch(toServer());
    await setImmediate(); // The connection is free with the next turn of the event loop.
    const before = server.connections();
    await fetch(toServer());
    expect(server.connections()).toBe(before);
  });

  test('is given up when the answer announces more than is read', async () => {
    respond = (_, response) => response.writeHead(200, { 'content-length': 1_001 }).write('x');
    expect((await failure(fetchResolving()(toServer()))).reason).toBe('too-large');
  });

  test('is given up when an endless answer passes what is read, and the connection is closed', async () => {
    const closed = new Promise<void>((done) => {
      respond = (_, response) => {
        const more = (): void => {
          while (response.write('x'.repeat(100)));
        };
        response.on('drain', more).on('close', done);
        more();
      };
    });
    expect((await failure(fetchResolving()(toServer()))).reason).toBe('too-large');
    await closed;
  });

  test('reads an answer of exactly the size allowed', async () => {
    respond = (_, response) => response.end('x'.repeat(1_000));
    expect((await fetchResolving()(toServer())).bytes.length).toBe(1_000);
  });

  test.each<[string, typeof respond]>([
    ['nothing is answered', () => undefined],
    ['the body stops', (_, response) => response.writeHead(200).write('begin')],
    [
      'the body drips',
      (_, response) => {
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('is given up after its time when %s', async (_, listener) => {
    respond = listener;
    const { reason, message } = await failure(
      fetchResolving()(toServer('/?token=secret', { timeoutMs: 150 })),
    );
    expect(reason).toBe('timed-out');
    expect(message).toBe(`The host 127.0.0.1:${server.port} did not answer within 150 ms.`);
  });

  test('is given up when its caller gives it up', async () => {
    const controller = new AbortController();
    respond = () => controller.abort();
    const { reason } = await failure(fetchResolving()(toServer('/', { signal: controller.signal })));
    expect(reason).toBe('aborted');
  });

  test('tells a host that cannot be reached from one that does not speak HTTP', async () => {
    respond = (incoming) => incoming.socket.end('not http at all\r\n\r\n');
    expect((await failure(fetchResolving()(toServer()))).reason).toBe('broken-answer');
    const closed = await startServer(() => undefined);
    await closed.stop();
    const gone = fetchResolving()(request(closed.url, { allowPrivateAddresses: true }));
    expect((await failure(gone)).reason).toBe('not-reachable');
  });

  test('with a header that HTTP cannot carry is refused', async () => {
    const bad = fetchResolving()(toServer('/', { headers: { 'x-bad': 'a\r\nb: c' } }));
    expect((await failure(bad)).reason).toBe('bad-request');
  });
});

describe('a redirect', () => {
  const sendTo =
    (location: string, status = 302): typeof respond =>
    (incoming, response) =>
      incoming.url === '/start'
        ? response.writeHead(status, { location }).end()
        : response.end(`at ${incoming.url}`);

  test('is an answer like any other', async () => {
    respond = sendTo('/next');
    expect((await fetchResolving()(toServer('/start'))).status).toBe(302);
  });

  test('is followed when the caller says so', async () => {
    respond = sendTo('/next');
    const { bytes } = await fetchResolving()(toServer('/start', { redirects: 1 }));
    expect(bytes.toString()).toBe('at /next');
  });

  test('is followed no more often than the caller says', async () => {
    let seen = 0;
    respond = (_, response) => {
      seen++;
      response.writeHead(302, { location: '/again' }).end();
    };
    const { reason } = await failure(fetchResolving()(toServer('/start', { redirects: 3 })));
    expect([reason, seen]).toEqual(['too-many-redirects', 4]);
  });

  test('of a POST is not followed', async () => {
    respond = sendTo('/next', 307);
    const post = toServer('/start', { redirects: 3, method: 'POST', body: 'x' });
    expect((await fetchResolving()(post)).status).toBe(307);
  });

  test.each([
    ['ftp://example.com/', 'bad-address'],
    ['http://user@example.com/', 'bad-address'],
    ['http://%zz/', 'bad-address'],
  ])('to %s is refused', async (location, reason) => {
    respond = sendTo(location);
    const { reason: seen } = await failure(fetchResolving()(toServer('/start', { redirects: 3 })));
    expect(seen).toBe(reason);
  });

  test('takes no header of the caller to another origin', async () => {
    const other = await startServer((incoming, response) =>
      response.end(String(incoming.headers.authorization)),
    );
    respond = sendTo(`${other.url}/`);
    const headers = { authorization: 'Bearer secret' };
    const { bytes } = await fetchResolving()(toServer('/start', { redirects: 1, headers }));
    expect(bytes.toString()).toBe('undefined');
    await other.stop();
  });
});
