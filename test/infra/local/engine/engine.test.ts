import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { GetQueueUrlCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { readEngine } from '../../../../infra/local/engine/engine-file.ts';
import { startOwnStores, storesIn } from '../../../../infra/local/stores/own.ts';
import { deadLetterName, queueName } from '../../../../shared/settings/names.ts';
import { childrenOf } from '../../process-tree.ts';
import { cleanUp, type EngineProcess, isAlive, startEngineProcess } from './engine-process.ts';
import { onStoresOf } from './engine-stores.ts';
import {
  CONCLUDED,
  DOCUMENTS_ENV,
  killAndRestart,
  outcomeOf,
  registerReceiver,
  signOne,
} from './kills/killed-work.ts';

const ENV = { ...DOCUMENTS_ENV, Uploads__MaxByte: '5' };

let engine: EngineProcess;
beforeAll(async () => {
  engine = await startEngineProcess({ env: ENV });
  await engine.ready();
});
afterAll(cleanUp);

/** What a start printed. The pipe hands it over a moment after the engine is ready. */
async function printed(): Promise<EngineProcess['printed']> {
  await expect.poll(() => engine.printed.out).toContain(`Open ${engine.url}`);
  return engine.printed;
}

describe('a running engine', () => {
  test('says where each service is, where its reference page is, and three calls that work', async () => {
    const { out } = await printed();
    for (const service of ['session', 'hub', 'pki', 'batch', 'compact', 'documents', 'credentials']) {
      expect(out).toContain(`${engine.url}/${service} `);
      expect(out).toContain(`${engine.url}/${service}/scalar`);
    }
    const curls = out.split('\n').filter((line) => line.startsWith('  curl '));
    expect(curls).toHaveLength(3);
    for (const curl of curls) {
      const status = execFileSync('sh', ['-c', `${curl} -s -o /dev/null -w '%{http_code}'`], {
        encoding: 'utf8',
      });
      expect(`${curl}: ${status}`).toMatch(/: 20\d$/);
    }
  });

  test('prints its steps and that: no routes, no log lines; the last line says what to open', async () => {
    const { out, error } = await printed();
    expect(error).toBe('');
    const steps = out.split('\n').filter((line) => /^ {2}\w.* \(\d+\.\d s\)$/.test(line));
    expect(steps.map((line) => line.replace(/ \(.*/, '').trim()).toSorted()).toEqual([
      'Every service answers',
      'Functions built',
      'Functions served',
      'Sandbox seeded',
      'Stores opened',
      'Tables, buckets and queues created',
    ]);
    expect(out.split('\n').length).toBeLessThan(31);
    expect(out.trimEnd().split('\n').at(-1)).toBe(`Open ${engine.url}`);
  });

  test('its root is a home page with the services, the key and the people, in two languages', async () => {
    const home = await fetch(`${engine.url}/`, { headers: { 'accept-language': 'en' } });
    expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await home.text();
    for (const shown of [`${engine.url}/documents`, 'sandbox|sinete-local-key', '52998224725', '4321'])
      expect(text).toContain(shown);
    const addresses = [...text.matchAll(/href="([^"?][^"]*)"/g)].map(([, href = '']) => href);
    for (const href of addresses.filter((each) => !each.startsWith('data:'))) {
      const headers = { accept: 'text/html' };
      const { status } = await fetch(new URL(href, `${engine.url}/`), { headers, redirect: 'manual' });
      expect(`${href}: ${status}`).toMatch(/: (?:200|30[23])$/);
    }
    const portuguese = await fetch(`${engine.url}/?lang=pt-BR`);
    expect(await portuguese.text()).toContain('nesta máquina');
    const icon = await fetch(`${engine.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  test('the base URL of batch leads a browser to the login of its dashboard, and /healthz answers', async () => {
    const headers = { accept: 'text/html' };
    const base = await fetch(`${engine.url}/batch`, { headers, redirect: 'manual' });
    const { pathname, search } = new URL(base.headers.get('location') ?? '', engine.url);
    expect([base.status, pathname, search]).toEqual([303, '/batch/login', '?ReturnUrl=%2Fbatch']);
    expect((await fetch(`${engine.url}/batch/healthz`)).status).toBe(200);
  });

  test.each(['session', 'hub', 'pki', 'compact', 'documents', 'credentials'])(
    'the base URL of %s leads to its reference, and /healthz answers',
    async (service) => {
      const base = await fetch(`${engine.url}/${service}`, { redirect: 'manual' });
      expect([base.status, base.headers.get('location')]).toEqual([
        302,
        `${engine.url}/${service}/scalar/v1`,
      ]);
      expect((await fetch(`${engine.url}/${service}/healthz`)).status).toBe(200);
    },
  );

  test.each(['localhost', '127.0.0.1', '[::1]'])('answers at %s', async (host) => {
    const answer = await fetch(`http://${host}:${engine.port}/session/healthz`);
    expect(answer.status).toBe(200);
  });

  test('listens on no address that another machine could reach', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others)
      await expect(fetch(`http://${address}:${engine.port}/session/healthz`)).rejects.toMatchObject({
        cause: { code: 'ECONNREFUSED' },
      });
  });

  test('an unknown path of a service answers in the style of that service', async () => {
    const answer = await fetch(`${engine.url}/session/no-such-path`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'ENDPOINT_NOT_FOUND' } });
  });

  test('an answer has no CORS header that its function did not give it', async () => {
    const answer = await fetch(`${engine.url}/session/healthz`, { headers: { origin: 'http://elsewhere' } });
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test.each([
    ['GET', '/documents/api/organizations/11111111-1111-4111-8111-111111111111', 200, 'Sandbox Organization'],
    [
      'GET',
      '/documents/api/organizations/%2531%2531111111-1111-4111-8111-111111111111',
      404,
      '"%31%31111111-',
    ],
    ['OPTIONS', '/session/healthz', 404, 'ENDPOINT_NOT_FOUND'],
    ['HEAD', '/session/healthz', 200, ''],
    ['GET', '/hub/%ff', 400, 'about:blank'],
    [
      'GET',
      '/elsewhere',
      404,
      '{"message":"No service is at this path. The home page at / lists the services."}',
    ],
  ])('%s %s answers %i, as on AWS', async (method, path, status, part) => {
    const headers = {
      'x-api-key': 'sandbox|sinete-local-key',
      origin: 'http://elsewhere',
      range: 'bytes=0-1',
    };
    const answer = await fetch(`${engine.url}${path}`, { method, headers });
    expect(await answer.text()).toContain(part);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('a form without a boundary, and a body over its limit, are refused in the style of the service', async () => {
    const url = `${engine.url}/documents/api/uploads`;
    const headers = { 'x-api-key': 'sandbox|sinete-local-key', 'content-type': 'multipart/form-data' };
    const form = await fetch(url, { method: 'POST', body: 'x', headers });
    expect(form.status).toBe(415);
    expect(await form.text()).toContain('with a boundary');

    const large = await fetch(`${engine.url}/documents/api/documents`, {
      method: 'POST',
      body: new Uint8Array(2 * 1024 * 1024),
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'InvalidRequest', details: { actualBytes: '2097152' } });
    expect(large.headers.has('x-correlation-id')).toBe(true);
  });

  test('a body of 150 MB passes, byte for byte', async () => {
    const body = randomBytes(150 * 1024 * 1024);
    const sha256 = createHash('sha256').update(body).digest('hex');
    // By a connection of its own: the server closes those of fetch that are idle while the bytes are made.
    const call = request(`${engine.url}/sandbox/receiver/large`, { method: 'POST', agent: false });
    const [answer] = await once(call.end(body), 'response');
    expect(await json(answer)).toMatchObject({ size: body.length, sha256 });
  });

  test('writes down how to reach its stores, for as long as it runs', () => {
    expect(readEngine(engine.dataDir)).toMatchObject({
      pid: engine.process.pid,
      port: engine.port,
      url: engine.url,
      env: { STAGE: 'local', AWS_REGION: 'us-east-1', AWS_ACCOUNT_ID: '000000000000' },
    });
    expect(readFileSync(engine.readyFile, 'utf8')).toBe(`${engine.url}\n`);
  });

  test('a message in a queue reaches its function, and what cannot be read ends among the dead letters', async () => {
    await onStoresOf(engine.dataDir, async ({ sqs }) => {
      const urlOf = async (QueueName: string) =>
        (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl ?? '';
      const dead = await urlOf(deadLetterName('documents', 'uploads'));
      const live = await urlOf(queueName('documents', 'uploads'));
      await sqs.send(new SendMessageCommand({ QueueUrl: live, MessageBody: 'this is not JSON' }));
      const firstDead = async () =>
        (await sqs.send(new ReceiveMessageCommand({ QueueUrl: dead }))).Messages?.[0];
      await expect.poll(async () => (await firstDead())?.Body).toContain('this is not JSON');
    });
  });

  test('a misspelt setting is told in one line, before anything is started', async () => {
    expect((await printed()).out).toMatch(
      /^Warning: Uploads__MaxByte is no setting, .* Did you mean Uploads__MaxBytes\? .*\nStarting Sinete/,
    );
  });

  test('a second engine on the same data folder is refused in one line', async () => {
    const second = await startEngineProcess({ dataDir: engine.dataDir });
    expect(await second.exited).toBe(1);
    expect(second.printed.error).toMatch(/^.* is in use by an engine on port \d+ \(process \d+\)\. .*\n$/);
    expect(second.printed.error).toContain(`port ${engine.port} (process ${engine.process.pid})`);
    expect((await fetch(`${engine.url}/session/healthz`)).status).toBe(200);
  });

  test('another engine on the same port is refused in one line, and leaves its folder unlocked', async () => {
    const second = await startEngineProcess({ port: engine.port });
    expect(await second.exited).toBe(1);
    expect(second.printed.error).toMatch(/^Port \d+ is taken by another program\. .*--port.*\n$/);
    expect(existsSync(join(second.dataDir, 'engine.lock'))).toBe(false);
  });

  //   engine 1  |--signature acknowledged--concludes it, delivers its events-- killed, somewhere in there
  //   engine 2                                                                |--ready--concluded, delivered--|
  test('a signature is concluded once and told of after kill -9 right after its acknowledgement', {
    timeout: 240_000,
  }, async () => {
    await registerReceiver(engine, 'killed-work');
    const id = await signOne(engine);
    engine = await killAndRestart(engine, ENV);
    await expect.poll(() => outcomeOf(engine, 'killed-work', id), { interval: 250 }).toEqual(CONCLUDED);
  });

  test('with the folder of other stores it opens none of its own, and works on those', async () => {
    const { env = {} } = readEngine(engine.dataDir) ?? {};
    const second = await startEngineProcess({ env });
    await second.ready();
    expect(existsSync(storesIn(second.dataDir))).toBe(false);
    expect(readEngine(second.dataDir)?.env).toEqual(env);

    await fetch(`${second.url}/sandbox/receiver/shared`, { method: 'POST', body: 'kept by the first' });
    const listed = await fetch(`${engine.url}/sandbox/receiver/shared`);
    expect(await listed.text()).toContain('kept by the first');

    second.process.kill('SIGTERM');
    expect(await second.exited).toBe(0);
    expect((await fetch(`${engine.url}/session/healthz`)).status).toBe(200);
  });

  test('Ctrl-C ends everything with code 0, and leaves no process, no lock and no ready file', async () => {
    const children = childrenOf(engine.process.pid);
    // That of the functions, and two of queues and schedules.
    expect(children).toHaveLength(3);
    // A terminal sends it to every process, in no particular order.
    for (const child of children) process.kill(child, 'SIGINT');
    engine.process.kill('SIGINT');
    expect(await engine.exited).toBe(0);
    expect(children.filter(isAlive)).toEqual([]);
    for (const file of ['engine.lock', 'engine.json'])
      expect(existsSync(join(engine.dataDir, file))).toBe(false);
    expect(existsSync(engine.readyFile)).toBe(false);
    expect(readEngine(engine.dataDir)).toBeUndefined();
  });

  test('the event log of the batch service tells of that stop', async () => {
    const stores = await startOwnStores({ dataDir: engine.dataDir });
    onTestFinished(() => stores.stop());
    // Of this engine, and of the one that worked on its stores.
    expect(await listEvents({ type: 'ServiceStopped', page: 1, pageSize: 10 })).toMatchObject({
      totalCount: 2,
      items: [{ type: 'ServiceStopped' }, { type: 'ServiceStopped' }],
    });
  });
});
