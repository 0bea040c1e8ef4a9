import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

type Event = { readonly type: string; readonly data: Record<string, unknown> };
type Work = (event: Event, id: string) => Promise<void>;
type Receiver = { readonly server: Server; readonly workLater: () => Promise<void> };
type Options = { authType?: string; token?: string; secret?: string; work?: Work };

const TOKEN = 'a-long-random-token';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const EVENT = JSON.stringify({ type: 'DocumentSigned', data: { id: 'document', name: 'Contrato ção.pdf' } });

// The example is plain JavaScript, as its reader's own server may be.
const example = <T>(file: string): Promise<T> =>
  import(pathToFileURL(resolve('examples/receive-webhooks', file)).href);
const { openInbox } = await example<{ openInbox(folder: string): unknown }>('inbox.mjs');
const { createReceiver } = await example<{ createReceiver(given: object): Receiver }>('receiver.mjs');

let folder: string;
let receivers: Receiver[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-inbox-'));
  receivers = [];
});
afterEach(async () => {
  for (const { server, workLater } of receivers) {
    await new Promise((done) => server.close(done));
    await workLater();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start({ authType = 'Bearer', token = TOKEN, secret = '', work }: Options = {}) {
  const worked: string[] = [];
  const record: Work = async (_, id) => {
    worked.push(id);
  };
  const given = { authType, token, secret, inbox: openInbox(folder), work: work ?? record };
  const { server, workLater } = createReceiver(given);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  receivers.push({ server, workLater });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, worked, workLater };
}

type Sending = { id?: string; headers?: Record<string, string>; body?: string };
const send = (url: string, { id = randomUUID(), headers = {}, body = EVENT }: Sending = {}) =>
  fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json; charset=utf-8', 'webhook-id': id, ...headers },
  }).then(({ status }) => status);

const bearer = { authorization: `Bearer ${TOKEN}` };

function signed(
  id: string,
  { secret = SECRET, atSeconds = Math.floor(Date.now() / 1000), body = EVENT } = {},
) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${atSeconds}.${body}`).digest('base64');
  return { ...bearer, 'webhook-timestamp': String(atSeconds), 'webhook-signature': `v1,${signature}` };
}

describe('the example receiver', () => {
  test.each([
    ['Bearer', { authorization: `Bearer ${TOKEN}` }],
    ['Basic', { authorization: `Basic ${TOKEN}` }],
    ['ApiKey', { 'x-api-key': TOKEN }],
    ['NoAuth', {}],
  ])('confirms an event with the header of %s', async (authType, headers) => {
    const { url } = await start({ authType });
    expect(await send(url, { headers })).toBe(204);
  });

  test.each([
    ['none', {}],
    ['another token', { authorization: 'Bearer another' }],
    ['the beginning of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['the token in another header', { 'x-api-key': TOKEN }],
  ])('keeps nothing of an event whose token is not the registered one: %s', async (_, headers) => {
    const { url } = await start();
    expect(await send(url, { headers: headers as Record<string, string> })).toBe(401);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('lets nobody in when no token is configured', async () => {
    const { url } = await start({ token: '' });
    expect(await send(url, { headers: { authorization: 'Bearer ' } })).toBe(401);
  });

  test('works once on an event that comes several times, also side by side', async () => {
    const { url, worked, workLater } = await start();
    const id = randomUUID();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => send(url, { id, headers: bearer })));
    expect(new Set(statuses)).toEqual(new Set([204]));
    await workLater();
    expect(worked).toEqual([id]);
    expect(await send(url, { id, headers: bearer })).toBe(204);
    await workLater();
    expect(worked).toEqual([id]);
  });

  test('answers before the work is done', async () => {
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    const { url } = await start({ work: () => promise });
    const id = randomUUID();
    expect(await send(url, { id, headers: bearer })).toBe(204);
    expect(existsSync(join(folder, `${id}.done`))).toBe(false);
    finish();
    await expect.poll(() => existsSync(join(folder, `${id}.done`))).toBe(true);
  });

  test('works after a restart on what was kept and not worked on', async () => {
    const id = randomUUID();
    vi.spyOn(console, 'error').mockReturnValue();
    const first = await start({ work: async () => Promise.reject(new Error('the database is away')) });
    expect(await send(first.url, { id, headers: bearer })).toBe(204);
    await first.workLater();
    const second = await start();
    await second.workLater();
    expect(second.worked).toEqual([id]);
    vi.restoreAllMocks();
  });

  test('confirms a signed event when a secret is set', async () => {
    const { url } = await start({ secret: SECRET });
    const id = randomUUID();
    expect(await send(url, { id, headers: signed(id) })).toBe(204);
    const both = signed(id);
    both['webhook-signature'] = `v1,AAAA ${both['webhook-signature']}`;
    expect(await send(url, { id, headers: both })).toBe(204);
  });

  test.each([
    ['no signature', () => bearer],
    [
      'one by another secret',
      (id: string) => signed(id, { secret: `whsec_${randomBytes(32).toString('base64')}` }),
    ],
    ['one of another body', (id: string) => signed(id, { body: `${EVENT} ` })],
    ['one of another id', () => signed(randomUUID())],
    [
      'one of ten minutes ago',
      (id: string) => signed(id, { atSeconds: Math.floor(Date.now() / 1000) - 600 }),
    ],
    ['one of the future', (id: string) => signed(id, { atSeconds: Math.floor(Date.now() / 1000) + 600 })],
  ])('refuses an event with %s when a secret is set', async (_, headersFor) => {
    const { url } = await start({ secret: SECRET });
    const id = randomUUID();
    expect(await send(url, { id, headers: headersFor(id) })).toBe(401);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['../../escaped', 'a/b', '', '.', 'x'.repeat(101)])(
    'takes no id that could be another file: %s',
    async (id) => {
      const { url } = await start();
      expect(await send(url, { id, headers: bearer })).toBe(400);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test.each(['', 'not JSON', '[]', '{"type":1,"data":{}}', '{"type":"X"}'])(
    'takes nothing that is no event: %s',
    async (body) => {
      const { url } = await start();
      expect(await send(url, { body, headers: bearer })).toBe(400);
    },
  );

  test('gives up a body that is too large, and says so', async () => {
    const { url } = await start();
    expect(await send(url, { body: 'x'.repeat(2_000_000), headers: bearer })).toBe(413);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('does not confirm what it could not keep', async () => {
    const { url } = await start();
    vi.spyOn(console, 'error').mockReturnValue();
    rmSync(folder, { recursive: true });
    expect(await send(url, { headers: bearer })).toBe(500);
    mkdirSync(folder);
    vi.restoreAllMocks();
  });
});

type WhereToRead = { readonly whereToRead: (event: object) => string | undefined };

describe('where the example receiver reads what an event is about', () => {
  test.each([
    ['DegreeConcluded', '/credentials/api/degrees/7'],
    ['EmissionRegistrationAccepted', '/credentials/api/emissions/7'],
    ['EmissionSigned', '/credentials/api/emissions/7'],
    ['RegistrationSigned', '/credentials/api/registrations/7'],
    ['AcademicTranscriptConcluded', '/credentials/api/academic-transcripts/7'],
    ['CurriculumCanceled', '/credentials/api/curriculums/7'],
    ['CancellationListSigned', '/credentials/api/institutes/{institute}/cancellation-lists/7'],
    ['InspectionFileGenerationError', '/credentials/api/institutes/{institute}/inspection-files/7'],
    ['RestampApplied', '/credentials/api/restamps/7'],
    ['DocumentSigned', '/documents/api/documents/7'],
    ['WebhookTest', undefined],
  ])('%s', async (type, path) => {
    const { whereToRead } = await example<WhereToRead>('where-to-read.mjs');
    expect(whereToRead({ type, data: { id: '7' } })).toBe(path);
  });

  test('takes no id as another path', async () => {
    const { whereToRead } = await example<WhereToRead>('where-to-read.mjs');
    expect(whereToRead({ type: 'DegreeConcluded', data: { id: '../x' } })).toBe(
      '/credentials/api/degrees/..%2Fx',
    );
  });
});
