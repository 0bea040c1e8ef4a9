import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerTimestamp } from '../../../../functions/sandbox/authority/domain/issuing/timestamp.ts';
import { integer, sequence } from '../../../../shared/der/write.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { requestTimestamp, type TimestampSettings } from '../../../../shared/signing/timestamp/client.ts';
import { type Post, timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import { readRequest, writeRequest } from '../../../../shared/signing/timestamp/request.ts';
import { keyOf, pki } from '../cms/fixtures.ts';
import { authority, POLICY, reaching } from './fixtures.ts';

const hash = hashOf('sha256', Buffer.from('what is stamped'));
const ask = (settings: TimestampSettings) => requestTimestamp('sha256', hash, settings);
const failing = (settings: TimestampSettings, message: RegExp) =>
  expect(ask(settings)).rejects.toThrow(
    expect.objectContaining({ name: 'TimestampFailed', message: expect.stringMatching(message) }),
  );

/** Answers that somebody on the way changed the question of. */
const asking =
  (change: (request: ReturnType<typeof readRequest>) => Parameters<typeof writeRequest>[0]): Post =>
  async (_, body) => ({
    status: 200,
    bytes: await answerTimestamp(writeRequest(change(readRequest(body))), authority),
  });

describe('the timestamp client', () => {
  test('gets a token over the hash, of this moment', async () => {
    const beforeMs = Date.now();
    const { token, info } = await ask(reaching());
    expect(token.length).toBeGreaterThan(1000);
    expect(info).toMatchObject({ policy: POLICY, imprint: { digest: 'sha256', hash } });
    // The token tells whole seconds.
    expect(info.timeMs).toBeGreaterThan(beforeMs - 1000);
    expect(info.timeMs).toBeLessThanOrEqual(Date.now());
  });

  test('replay: sends a fresh nonce each time, and requests the certificate', async () => {
    const seen: Buffer[] = [];
    const { post } = reaching();
    const watching: Post = (url, body, options) => {
      seen.push(body);
      return post(url, body, options);
    };
    for (const _ of [1, 2]) await ask({ ...reaching(), post: watching });
    const [first, second] = seen.map(readRequest);
    expect(first).toMatchObject({ wantsCertificate: true, version: 1 });
    expect(first?.nonce?.length).toBeGreaterThan(8);
    expect(first?.nonce).not.toEqual(second?.nonce);
  });

  test.each([
    [
      'answers another request: its nonce differs',
      asking(({ imprint }) => ({ digest: 'sha256', hash: imprint.hash, nonce: integer(7) })),
      /nonce/,
    ],
    [
      'stamps something else',
      asking(({ nonce }) => ({ digest: 'sha256', hash: randomBytes(32), nonce: nonce ?? integer(1) })),
      /over something else/,
    ],
    [
      'stamps another digest of the same length of time',
      asking(({ nonce }) => ({ digest: 'sha512', hash: randomBytes(64), nonce: nonce ?? integer(1) })),
      /over something else/,
    ],
    [
      'answers bytes that are no response',
      (async () => ({ status: 200, bytes: randomBytes(50) })) as Post,
      /cannot be read/,
    ],
    [
      'answers with a page',
      (async () => ({ status: 404, bytes: Buffer.from('<html>') })) as Post,
      /status 404/,
    ],
    [
      'says granted and gives nothing',
      (async () => ({ status: 200, bytes: sequence(sequence(integer(0))) })) as Post,
      /refused/,
    ],
  ])('refuses an authority that %s', async (_, post, message) => {
    await failing({ ...reaching(), post }, message);
  });

  test('refuses a token of a certificate that is not for timestamps', async () => {
    await failing(reaching({ key: keyOf(pki.holder()) }), /not one for timestamps/);
  });

  test('refuses a time that is far from ours, on both sides', async () => {
    for (const offMs of [-3_600_000, 3_600_000])
      await failing(reaching({ now: () => Date.now() + offMs }), /too far from our/);
  });

  test('requests the configured policy, and refuses a token under another', async () => {
    const url = 'http://tsa.example/';
    const { info } = await ask({ ...reaching(), authorities: [{ url, policy: POLICY }] });
    expect(info.policy).toBe(POLICY);
    await failing({ ...reaching(), authorities: [{ url, policy: '1.2.3' }] }, /unacceptedPolicy/);
    const post = asking(({ imprint, nonce }) => ({
      digest: 'sha256',
      hash: imprint.hash,
      nonce: nonce ?? integer(1),
    }));
    await failing({ ...reaching(), post, authorities: [{ url, policy: '1.2.3' }] }, /under the policy/);
  });

  test('retries an authority that does not answer, waits longer each time, and then tries the next', async () => {
    const calls: string[] = [];
    const waits: number[] = [];
    const settings = reaching();
    const post: Post = async (url, body, options) => {
      calls.push(url);
      if (url.includes('down')) throw new Error('connection refused');
      return settings.post(url, body, options);
    };
    const wait = async (ms: number) => waits.push(ms);
    const authorities = [{ url: 'http://down.example' }, { url: 'http://up.example' }];
    await ask({ ...settings, authorities, post, wait, attemptsEach: 3, pauseMs: 100 });
    expect(calls).toEqual([...Array(3).fill('http://down.example'), 'http://up.example']);
    expect(waits).toEqual([100, 200]);
  });

  test('does not retry an authority that refuses', async () => {
    let calls = 0;
    const post: Post = async () => {
      calls++;
      return { status: 403, bytes: Buffer.alloc(0) };
    };
    await failing({ ...reaching(), post, attemptsEach: 5 }, /403/);
    expect(calls).toBe(1);
  });

  test('reports the failure of every authority, without secrets in their addresses', async () => {
    const authorities = [
      { url: 'http://one.example/key-123?token=456' },
      { url: 'http://user:word@two.example/' },
    ];
    const post: Post = async () => ({ status: 500, bytes: Buffer.alloc(0) });
    const error = await ask({ ...reaching(), authorities, post }).catch((failure: Error) => failure);
    expect(String(error)).toMatch(/one\.example: It answered with status 500\. two\.example: /);
    expect(String(error)).not.toMatch(/123|456|word/);
  });

  test('says so when no authority is configured', async () => {
    await failing({ ...reaching(), authorities: [] }, /None is configured/);
  });
});

describe('the timestamp client over HTTP', () => {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.url === '/slow') return;
    const isQuery = request.headers['content-type'] === 'application/timestamp-query';
    response.writeHead(isQuery ? 200 : 415).end(await answerTimestamp(body, authority));
  });
  let root = '';
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('gets a token through the guarded connector, where it may reach this machine', async () => {
    const post = timestampPost({ allowPrivateAddresses: true });
    expect((await ask({ authorities: [{ url: root }], post })).token.length).toBeGreaterThan(1000);
    await failing({ authorities: [{ url: root }], post: timestampPost(), attemptsEach: 1 }, /did not answer/);
  });

  test('gives up an authority that is silent, after the time-out', async () => {
    const post = timestampPost({ allowPrivateAddresses: true });
    const authorities = [{ url: `${root}/slow` }, { url: root }];
    const { token } = await ask({ authorities, post, timeoutMs: 300, attemptsEach: 1 });
    expect(token.length).toBeGreaterThan(1000);
  });
});
