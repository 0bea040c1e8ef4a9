import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commandFor } from '../../../cli/admin/commands.ts';
import { handler as getCustomState } from '../../../functions/hub/endpoints/get-custom-state.ts';
import { handler as getStatus } from '../../../functions/session/endpoints/get-status.ts';
import {
  createApplication,
  issueKey,
  revokeKey,
  setDisabled,
} from '../../../shared/access/administration.ts';
import { applications } from '../../../shared/access/applications.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { letInFirst } from '../../functions/let-in-first.ts';
import { announceEngine, bareEnvironment, command } from '../../infra/child.ts';
import { call } from '../../requests/http-event.ts';
import { startServer } from '../../shared/net/a-server.ts';
import { adminDone as done, adminRefused as refused } from './in-process.ts';

const SCRIPT = 'cli/admin/admin.ts';
const anyName = () => `test-${randomUUID()}`;
const [dataDir, nothingThere] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'sinete-admin-'))) as [
  string,
  string,
];
// What a command changes is read by the next call.
beforeAll(() => void vi.stubEnv('Access__CacheSeconds', '0'));
afterAll(() => {
  vi.unstubAllEnvs();
  for (const folder of [dataDir, nothingThere]) rmSync(folder, { recursive: true });
});

const isAccepted = async (key: string, endpoint: Endpoint = getStatus) => {
  const query = { sessionId: 'none', session: 'none' };
  return (await call(endpoint, { query, headers: { 'X-API-Key': key } })).status !== 401;
};

/** An application with one key, in the session service. */
async function anApplication() {
  const name = anyName();
  await createApplication('session', { name, permissions: ['*'] });
  const { text, key } = await issueKey('session', name);
  return { name, key: text, id: key.id };
}

describe('npm run admin', () => {
  test('without a word, or with --help, prints its usage', async () => {
    const [alone, help] = await Promise.all([done(), done('--help')]);
    expect(alone).toContain('npm run admin -- keys issue NAME --service SERVICE');
    expect(help).toBe(alone);
  });

  test('issues a key that its service accepts from then on, and no other service', async () => {
    const name = anyName();
    await done('apps', 'create', name, '--service', 'session');
    const [key = ''] = (await command(SCRIPT)('keys', 'issue', name, '--service', 'session')).out.split('\n');
    expect(key).toMatch(new RegExp(`^${name}\\|[\\w-]{43}$`));
    expect(await isAccepted(key)).toBe(true);
    expect(await isAccepted(key, getCustomState)).toBe(false);
  });

  test('shows a key once: no list shows its secret, and the store does not hold it', async () => {
    const { name, key, id } = await anApplication();
    await revokeKey('session', name, (await issueKey('session', name)).key.id, Date.now());
    const [apps, keys] = await Promise.all([
      done('apps', 'list', '--service', 'session'),
      done('keys', 'list', name, '--service', 'session'),
    ]);
    expect(apps).toContain(`${name}: 2 keys; permissions *`);
    expect(keys).toMatch(
      new RegExp(`^${id}  issued 20\\S+Z  does not expire\n\\S+  issued 20\\S+Z  revoked 20\\S+Z$`),
    );
    const secret = key.split('|')[1] ?? key;
    for (const text of [apps, keys, JSON.stringify(await applications('session').get(name))])
      expect(text).not.toContain(secret);
  });

  test('revokes a key by the first characters of its id; it is refused at once, the others are not', async () => {
    const { name, key, id } = await anApplication();
    const { text: other } = await issueKey('session', name);
    expect(await done('keys', 'revoke', name, id.slice(0, 8), '--service', 'session')).toContain('Revoked');
    expect(await isAccepted(key)).toBe(false);
    expect(await isAccepted(other)).toBe(true);
  });

  test('expires a key now, or at a moment of its own', async () => {
    const { name, key, id } = await anApplication();
    await done('keys', 'expire', name, id, '--service', 'session', '--expires', '90d');
    expect(await isAccepted(key)).toBe(true);
    await done('keys', 'expire', name, id, '--service', 'session');
    expect(await isAccepted(key)).toBe(false);
  });

  test('disables an application, whose keys are all refused, and enables it again', async () => {
    const { name, key } = await anApplication();
    await done('apps', 'disable', name, '--service', 'session');
    expect(await isAccepted(key)).toBe(false);
    await done('apps', 'enable', name, '--service', 'session');
    expect(await isAccepted(key)).toBe(true);
  });

  test('registers what an operator vouches for, lists it, and takes it back', async () => {
    const name = anyName();
    const uri = 'https://client.example/return';
    await createApplication('hub', { name, permissions: ['*'] });
    await done('apps', 'register', name, 'redirectUris', uri, '--service', 'hub');
    expect(await done('apps', 'list', '--service', 'hub')).toContain(`redirectUris: ${uri}`);
    await done('apps', 'unregister', name, 'redirectUris', uri, '--service', 'hub');
    expect((await applications('hub').get(name))?.registered).toEqual({ redirectUris: [] });
  });

  test('acts on several services at once, with the permissions it is given', async () => {
    const name = anyName();
    await done(
      'apps',
      'create',
      name,
      '--service',
      'pki',
      '--service',
      'hub',
      '--permission',
      'authentication',
    );
    for (const service of ['pki', 'hub'] as const) {
      expect((await applications(service).get(name))?.permissions).toEqual(['authentication']);
    }
  });

  test('finds the engine that runs on a data folder, and has it read anew what it knows', async () => {
    const { name } = await anApplication();
    const asked: string[] = [];
    const engine = await startServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.writeHead(204).end();
    });
    onTestFinished(engine.stop);
    announceEngine(dataDir, engine.url);
    const alone = command(SCRIPT, { env: bareEnvironment() });
    const { out } = await alone('keys', 'list', name, '--service', 'session', '--data', dataDir);
    expect(out).toContain('does not expire');
    expect(asked).toEqual(['DELETE /sandbox/cached']);
  });

  // Four operators register a value each on one application. The store lets one write through at a time:
  //
  //   one    |--read v1-- write v1->v2 --|
  //   other    |--read v1----- write v1->v2 refused: told to run it again, exit 1
  test('keeps every registration that it reported, whoever else writes at the same moment', async () => {
    const name = anyName();
    await createApplication('hub', { name, permissions: ['*'] });
    const uris = Array.from({ length: 4 }, (_, n) => `https://${n}.example/return`);
    const ended = await Promise.all(
      uris.map((uri) => command(SCRIPT)('apps', 'register', name, 'redirectUris', uri, '--service', 'hub')),
    );
    const reported = uris.filter((_, n) => ended[n]?.code === 0);
    expect(reported.length).toBeGreaterThan(0);
    expect((await applications('hub').get(name))?.registered.redirectUris?.toSorted()).toEqual(reported);
    for (const { error } of ended.filter(({ code }) => code !== 0)) {
      expect(error).toMatch(
        /^Somebody else changed ".*" at the same moment, so nothing was done\. Run it again\.$/,
      );
    }
  });
});

describe('npm run admin, asked for what it cannot do, exits 1 with one line', () => {
  test.each([
    ['an unknown command', ['apps', 'destroy', 'x', '--service', 'hub'], /no command "apps destroy"/],
    ['no service', ['apps', 'list'], /Name a --service: session, hub, pki, documents, credentials\./],
    ['an unknown service', ['apps', 'list', '--service', 'nope'], /no applications in a service "nope"/],
    [
      'an unknown application',
      ['keys', 'issue', 'no-one', '--service', 'hub'],
      /has no application "no-one"/,
    ],
    ['an unknown option', ['apps', 'list', '--service', 'hub', '--colour'], /Unknown option '--colour'/],
  ])('%s', async (_, words, complaint) => {
    expect(await refused(...words)).toMatch(complaint);
  });

  test('a word too few, a name that cannot be, and a kind that the service does not have', async () => {
    const options = {
      service: 'hub',
      permissions: [],
      expires: undefined,
      identifier: undefined,
      owner: undefined,
      pin: {},
    } as const;
    const run = async (...words: string[]) => {
      const { run: command, rest } = commandFor(words);
      return command(options, ...rest);
    };
    await expect(run('apps', 'create')).rejects.toThrow(/^Usage: npm run admin -- apps create NAME/);
    await expect(run('apps', 'create', 'a|b')).rejects.toThrow(/^"a\|b" cannot be an application's name/);
    await expect(run('apps', 'register', 'x', 'redirectUri', 'y')).rejects.toThrow(
      /Name one of: redirectUris\.$/,
    );
    for (const uri of ['javascript:alert(1)', 'foo bar', '/return'])
      await expect(run('apps', 'register', 'x', 'redirectUris', uri)).rejects.toThrow(
        'is not an absolute URI that users may be sent to',
      );
  });

  test('a change that another operator was first with', async () => {
    const { name } = await anApplication();
    letInFirst(() => setDisabled('session', name, true));
    await expect(issueKey('session', name)).rejects.toThrow(
      /at the same moment, so nothing was done\. Run it again\.$/,
    );
    expect((await applications('session').get(name))?.keys).toHaveLength(1);
  });

  test('an application that is there already', async () => {
    const { name } = await anApplication();
    expect(await refused('apps', 'create', name, '--service', 'session')).toMatch(
      /has an application ".*" already/,
    );
  });

  test('a key that is not there, an empty id, and a moment that is none', async () => {
    const { name, key, id } = await anApplication();
    const [unknown, empty, never] = await Promise.all([
      refused('keys', 'revoke', name, 'zzzz', '--service', 'session'),
      refused('keys', 'revoke', name, '', '--service', 'session'),
      refused('keys', 'expire', name, id, '--service', 'session', '--expires', 'soon'),
    ]);
    expect(unknown).toContain('has no key "zzzz"');
    expect(empty).toContain('has no key ""');
    expect(never).toBe('"soon" is no time. Write 2027-01-31T00:00:00Z, 2027-01-31 or 90d.');
    expect(await isAccepted(key)).toBe(true);
  });

  test('no engine that runs', async () => {
    const alone = command(SCRIPT, { env: bareEnvironment() });
    const { code, error } = await alone('apps', 'list', '--service', 'hub', '--data', nothingThere);
    expect(code).toBe(1);
    expect(error).toBe(
      `No engine is running on ${nothingThere}. Start one with npm start, or name a deployed --stage.`,
    );
  });

  test('a deployed stage without a region', async () => {
    const alone = command(SCRIPT, { env: bareEnvironment() });
    const { code, error } = await alone('apps', 'list', '--service', 'hub', '--stage', 'prod');
    expect([code, error]).toEqual([1, 'Set AWS_REGION to the region that stage prod is deployed in.']);
  });

  test('a store that does not answer', async () => {
    const env = { ...bareEnvironment(), AWS_ENDPOINT_URL: 'http://localhost:1' };
    const { code, error } = await command(SCRIPT, { env })('apps', 'list', '--service', 'hub');
    expect(code).toBe(1);
    expect(error).toMatch(/^The store does not answer \(.*ECONNREFUSED.*\)\./);
  });
});
