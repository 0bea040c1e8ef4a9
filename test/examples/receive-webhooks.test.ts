import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEvent } from '@sinete/client/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openInbox } from '../../examples/receive-webhooks/inbox.ts';
import { createReceiver } from '../../examples/receive-webhooks/receiver.ts';
import { whereToRead } from '../../examples/receive-webhooks/where-to-read.ts';

type Receiver = ReturnType<typeof createReceiver>;
type Work = Parameters<typeof createReceiver>[0]['work'];
type Options = { readonly secret?: string; readonly work?: Work };

const TOKEN = 'a-long-random-token';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const EVENT = JSON.stringify({ type: 'DocumentSigned', data: { id: 'document', name: 'Contrato ção.pdf' } });

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

async function start({ secret, work }: Options = {}) {
  const worked: string[] = [];
  const record: Work = async (_, id) => {
    worked.push(id);
  };
  const { server, workLater } = createReceiver({
    ...{ authType: 'Bearer' as const, token: TOKEN, secret },
    ...{ inbox: openInbox(folder), work: work ?? record },
  });
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
  test('keeps nothing of an event whose token is not the registered one', async () => {
    const { url } = await start();
    expect(await send(url, { headers: { authorization: 'Bearer another' } })).toBe(401);
    expect(await send(url)).toBe(401);
    expect(readdirSync(folder)).toEqual([]);
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
    const first = await start({ work: () => Promise.reject(new Error('the database is away')) });
    expect(await send(first.url, { id, headers: bearer })).toBe(204);
    await first.workLater();
    const second = await start();
    await second.workLater();
    expect(second.worked).toEqual([id]);
    vi.restoreAllMocks();
  });

  test('keeps an event that is signed by the secret, and no other, when one is set', async () => {
    const { url } = await start({ secret: SECRET });
    const id = randomUUID();
    expect(await send(url, { id, headers: signed(randomUUID()) })).toBe(401);
    expect(readdirSync(folder)).toEqual([]);
    expect(await send(url, { id, headers: signed(id) })).toBe(204);
  });

  test.each(['../../escaped', 'a/b', '', '.', 'x'.repeat(101)])(
    'takes no id that could be another file: %s',
    async (id) => {
      const { url } = await start();
      expect(await send(url, { id, headers: bearer })).toBe(400);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('does not confirm what it could not keep', async () => {
    const { url } = await start();
    vi.spyOn(console, 'error').mockReturnValue();
    rmSync(folder, { recursive: true });
    expect(await send(url, { headers: bearer })).toBe(500);
    mkdirSync(folder);
    vi.restoreAllMocks();
  });
});

const about = (type: string, id: string) => whereToRead(parseEvent(JSON.stringify({ type, data: { id } })));

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
  ])('%s', (type, path) => {
    expect(about(type, '7')).toBe(path);
  });

  test('takes no id as another path', () => {
    expect(about('DegreeConcluded', '../x')).toBe('/credentials/api/degrees/..%2Fx');
  });
});
