import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { isAlive } from '../../../shared/command-line/is-alive.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { parsePrometheus } from '../../functions/batch/operations/prometheus.ts';
import { command } from '../child.ts';
import { childrenOf } from '../process-tree.ts';
import {
  cleanUp,
  type HostProcess,
  ownEnvironment,
  REQUIRED,
  startHostProcess,
  temporaryFolder,
} from './host-process.ts';

const OPERATOR_KEY = 'the-operator-key-of-a-host-0123456789';

let host: HostProcess;
beforeAll(async () => {
  host = await startHostProcess({
    config: { workers: { http: 2, queues: 1 }, trustedProxies: ['127.0.0.0/8', '::1'] },
    settings: {
      ...REQUIRED,
      'RateLimiting:Verification:PermitLimit': 2,
      'Access:CacheSeconds': 0,
      'Auth:ApiKey': OPERATOR_KEY,
    },
  });
  await host.ready();
}, 300_000);
afterAll(cleanUp);

describe('a host', () => {
  test('says that it is alive and ready', async () => {
    for (const path of ['/healthz', '/readyz', ...SERVICES.map((service) => `/${service}/healthz`)])
      expect((await fetch(`${host.url}${path}`)).status, path).toBe(200);
  });

  test('has the metrics of every service at one address, of all its processes, for the operator', async () => {
    expect((await fetch(`${host.url}/metrics`)).status).toBe(401);
    const headers = { 'X-API-Key': OPERATOR_KEY };
    const read = async () => parsePrometheus(await (await fetch(`${host.url}/metrics`, { headers })).text());
    const sumOf = async (name: string, labels: Record<string, string>) =>
      (await read())
        .get(name)
        ?.samples.filter((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value))
        .reduce((sum, { value }) => sum + value, 0) ?? 0;
    // Each on a connection of its own: the two processes take turns. Nobody else asks for this.
    for (let n = 0; n < 6; n++)
      expect((await fetch(`${host.url}/pki/none`, { headers: { connection: 'close' } })).status).toBe(404);
    const refused = { service: 'pki', code: 'EndpointNotFound' };
    await expect.poll(() => sumOf('sinete_refusals_total', refused)).toBe(6);
    expect([...(await read()).keys()]).toEqual(
      expect.arrayContaining(['bulk_pipeline_paused', 'sinete_latency_seconds', 'sinete_runs_total']),
    );
    // Of the parent, which is not asked; and of each process.
    for (const name of [
      'sinete_host_disk_free_bytes',
      'sinete_host_store_bytes',
      'sinete_host_store_log_bytes',
    ])
      await expect.poll(() => sumOf(name, { service: 'host' })).toBeGreaterThan(0);
    for (const name of ['sinete_host_event_loop_delay_seconds', 'sinete_host_waiting_calls'])
      expect((await read()).get(name)?.samples).toHaveLength(1);
  });

  test('has no sandbox: neither its routes, nor its key, nor its tables', async () => {
    for (const path of ['/sandbox', '/sandbox/healthz', '/sandbox/cached', '/'])
      expect((await fetch(`${host.url}${path}`)).status, path).toBe(404);
    const headers = { 'X-API-Key': SANDBOX_KEY };
    for (const path of [
      '/session/v1/sessions/status?sessionId=x',
      '/documents/api/folders',
      '/batch/api/jobs',
    ])
      expect((await fetch(`${host.url}${path}`, { headers })).status, path).toBe(401);
    const script = await (await fetch(`${host.url}/session/scalar/v1/start.js`)).text();
    expect(script).not.toContain('authentication');
  });

  test('has the documentation, which references lead to, without a word of the sandbox’s home page', async () => {
    const get = (path: string): Promise<Response> =>
      fetch(`${host.url}${path}`, { headers: { 'accept-language': 'en' } });
    const page = await get('/docs/webhooks');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await page.text();
    expect(text).toContain('<h1 id="webhooks">Webhooks</h1>');
    expect(text).not.toContain('Home page');
    expect((await get('/docs/images/dashboard.png')).headers.get('content-type')).toBe('image/png');
    const contract = (await (await get('/hub/openapi/v1.json')).json()) as { externalDocs: { url: string } };
    expect(contract.externalDocs.url).toMatch(/\/docs\/hub$/);
  });

  test('says that it is to be reached by https alone, and keeps forged paths out', async () => {
    const answer = await fetch(`${host.url}/session/healthz`);
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=/);
    expect((await fetch(`${host.url}/session/%ff`)).status).toBe(400);
    expect((await fetch(`${host.url}//sandbox`)).status).toBe(404);
  });

  test('logs JSON lines, and at its first start the commands that make the first key', () => {
    const commands = host.logged().flatMap((line) => (line.command === undefined ? [] : [line.command]));
    expect(commands[0]).toContain('npm run admin -- apps create');
    expect(host.printed.error).toBe('');
  });

  test('counts callers by the address that a trusted proxy names, and not by one that a caller names', async () => {
    const look = async (forwarded: string) =>
      (await fetch(`${host.url}/credentials/verify/1.2.abc`, { headers: { 'x-forwarded-for': forwarded } }))
        .status;
    expect([await look('203.0.113.1'), await look('203.0.113.1')]).toEqual([404, 404]);
    expect(await look('198.51.100.1, 203.0.113.1')).toBe(429);
    expect(await look('203.0.113.2')).toBe(404);
  });

  test('takes a key that an operator issues, links to its files, and uploads of 50 MB in flat memory', async () => {
    const admin = async (...words: string[]) => {
      const ended = await command('cli/admin/admin.ts', { env: ownEnvironment() })(
        ...words,
        '--config',
        host.configFile,
      );
      expect(ended).toMatchObject({ code: 0, error: '' });
      return ended.out;
    };
    const made = await admin(
      ...['organizations', 'create', 'Acme', '--owner', 'o1=Owner', '--service', 'documents'],
    );
    const [organization = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(made) ?? [];
    await admin('apps', 'create', 'acme', '--service', 'documents');
    await admin('apps', 'register', 'acme', 'organizations', organization, '--service', 'documents');
    const [key = ''] = (await admin('keys', 'issue', 'acme', '--service', 'documents')).split('\n');

    const upload = async (megabytes: number) => {
      const form = new FormData();
      form.append('file', new Blob([Buffer.alloc(megabytes * 1_048_576, 'x')]), 'large.txt');
      const headers = { 'X-API-Key': key };
      const answer = await fetch(`${host.url}/documents/api/uploads`, {
        method: 'POST',
        headers,
        body: form,
      });
      expect(answer.status, await answer.text()).toBe(200);
    };
    const presigned = await fetch(`${host.url}/documents/api/uploads/presigned`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a.txt', contentType: 'text/plain', size: 3 }),
    });
    const link = (await presigned.json()) as { url: string; headers: Record<string, string> };
    expect(link.url).toContain(`${host.url}/store/`);
    const put = { method: 'PUT', headers: link.headers };
    expect((await fetch(link.url, { ...put, body: 'abc' })).status).toBe(200);
    expect((await fetch(link.url.replace('signature=', 'signature=A'), { ...put, body: 'abc' })).status).toBe(
      403,
    );

    const peaks = () => childrenOf(host.process.pid).map(peakMegabytes);
    for (let round = 0; round < 8; round += 1) await upload(10);
    const before = Math.max(...peaks());
    for (let round = 0; round < 2; round += 1) await upload(50);
    // A body that is held whole would show at least once.
    expect(Math.max(...peaks()) - before).toBeLessThan(50);
  });

  test('starts a worker again that was killed, and goes on meanwhile', async () => {
    const before = childrenOf(host.process.pid);
    const [victim = 0] = before;
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => host.logged().some(({ pid }) => pid === victim)).toBe(true);
    expect((await fetch(`${host.url}/session/healthz`)).status).toBe(200);
    await expect.poll(() => childrenOf(host.process.pid).length).toBe(before.length);
    const line = host.logged().find(({ pid }) => pid === victim);
    expect(line).toMatchObject({ message: 'worker ended by itself and is started again', signal: 'SIGKILL' });
  });

  test('that is killed takes its workers with it, and frees its port', async () => {
    const workers = childrenOf(host.process.pid);
    expect(workers).toHaveLength(3);
    const errors = () => host.logged().filter(({ level }) => level === 'ERROR').length;
    const before = errors();
    host.process.kill('SIGKILL');
    // They tell it of connections that end, before they know that it is gone.
    const calls = Array.from({ length: 50 }, () =>
      fetch(`${host.url}/healthz`, { headers: { connection: 'close' } }),
    );
    await Promise.allSettled(calls);
    await expect.poll(() => workers.some(isAlive)).toBe(false);
    expect(errors()).toBe(before);
    await expect(fetch(`${host.url}/healthz`)).rejects.toThrow();
  });
});

const peakMegabytes = (pid: number): number => {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

describe('with a certificate', () => {
  test('a host serves TLS, reads a renewed certificate at SIGHUP, is not ready while it stops, and tells systemd', async () => {
    const folder = temporaryFolder();
    const told = systemdIn(folder);
    const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    makeCertificate(cert, key, 'first');
    const secure = await startHostProcess({
      args: ['--cert', cert, '--key', key],
      config: { stop: { announceSeconds: 2 } },
      env: told.env,
    });
    await secure.ready();
    await expect.poll(told.states).toBe('READY=1\n');
    expect(await askAt(secure.port, '/healthz')).toEqual({ status: 200, subject: 'first' });
    await expect(fetch(`${secure.url}/healthz`)).rejects.toThrow();
    makeCertificate(cert, key, 'second');
    secure.process.kill('SIGHUP');
    await expect.poll(async () => (await askAt(secure.port, '/healthz')).subject).toBe('second');
    expect((await askAt(secure.port, '/readyz')).status).toBe(200);
    secure.process.kill('SIGTERM');
    await expect.poll(async () => (await askAt(secure.port, '/readyz')).status).toBe(503);
    expect(await secure.exited).toBe(0);
    expect(told.states()).toBe('READY=1\nSTOPPING=1\n');
  });
});

/** A systemd-notify that writes down what it is told: the real one needs a systemd that started the host. */
function systemdIn(folder: string) {
  const [bin, file] = [join(folder, 'bin'), join(folder, 'told')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\necho "$1" >> ${file}\n`, { mode: 0o755 });
  return {
    env: { NOTIFY_SOCKET: '/run/systemd/notify', PATH: `${bin}:${process.env.PATH}` },
    states: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
  };
}

const makeCertificate = (cert: string, key: string, name: string): void =>
  void execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', `/CN=${name}`],
    { stdio: 'ignore' },
  );

/** The answer at a path, and the common name of the certificate before it. */
const askAt = (port: number, path: string): Promise<{ status: number | undefined; subject: string }> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ rejectUnauthorized: false });
    httpsRequest({ port, path, agent }, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate();
      resolve({ status: response.statusCode, subject: String(subject?.CN) });
      response.resume();
    })
      .once('error', reject)
      .end();
  });
