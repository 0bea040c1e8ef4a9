import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { batchClient } from '../../../../functions/batch/identity-provider/domain/client.ts';
import { handler as getState } from '../../../../functions/batch/pipeline/endpoints/get-pipeline-state.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { findProvider } from '../../../../shared/access/identity-provider/provider.ts';
import { startProvider, useProvider } from '../../../servers/oidc/start-provider.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { newVisitor } from './visitor.ts';

const provider: Awaited<ReturnType<typeof startProvider>> = await startProvider();
afterAll(() => provider.stop());
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  useProvider(provider.issuer);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('where the provider cannot be used', () => {
  const PROBLEM = '/batch/login?ReturnUrl=%2Fbatch%2Fjobs&problem=idp';
  const beginAt = async (authority: string) => {
    vi.stubEnv('Idp__Authority', authority);
    const { result, lines } = await logOf(() => newVisitor().begin({ ReturnUrl: '/jobs' }));
    return { ...result, lines };
  };

  test('without one a sign-in leads to the login page', async () => {
    vi.stubEnv('Idp__Authority', undefined);
    const { status, headers, cookies } = await newVisitor().begin({ ReturnUrl: '/jobs' });
    expect([status, headers.location, cookies]).toEqual([302, '/batch/login?ReturnUrl=%2Fbatch%2Fjobs', []]);
  });

  test('one that is down leads to the login page, and is asked again at the next sign-in', async () => {
    const short = await startProvider();
    await short.stop();
    const { status, headers, cookies, lines } = await beginAt(short.issuer);
    expect([status, headers.location, cookies]).toEqual([302, PROBLEM, []]);
    expect(lines).toMatchObject([{ level: 'WARN', reason: expect.stringContaining('could not be reached') }]);
    useProvider(provider.issuer);
    expect((await newVisitor().beginAt()).origin).toBe(provider.issuer);
  });

  test('one whose metadata is of another issuer is not used', async () => {
    const { headers, lines } = await beginAt(provider.issuer.replace('127.0.0.1', 'localhost'));
    expect(headers.location).toBe(PROBLEM);
    expect(lines).toMatchObject([{ reason: 'The metadata is of another issuer than Idp:Authority.' }]);
  });

  test.each([
    ['none', {}],
    ['no address', { authorization_endpoint: 'nowhere' }],
    ['a number', { authorization_endpoint: 5 }],
  ])('one whose metadata has %s for the authorization endpoint leads to the login page', async (_, has) => {
    const server = createWebServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token`, ...has }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, headers, cookies, lines } = await beginAt(issuer);
    expect([status, headers.location, cookies]).toEqual([302, PROBLEM, []]);
    expect(lines).toMatchObject([
      { level: 'WARN', reason: expect.stringContaining('authorization_endpoint') },
    ]);
    await new Promise((closed) => server.close(closed));
  });

  test('one on a private address is not called unless Network:AllowPrivateAddresses says so', async () => {
    vi.stubEnv('Network__AllowPrivateAddresses', 'false');
    const { headers, lines } = await beginAt(`${provider.issuer}/private`);
    expect(headers.location).toBe(PROBLEM);
    expect(lines).toMatchObject([{ reason: expect.stringContaining('not on the public internet') }]);
  });

  test('one over plain http is used neither in a deployment nor without the setting for private addresses', async () => {
    vi.stubEnv('Idp__Authority', 'http://login.example');
    vi.stubEnv('Network__AllowPrivateAddresses', 'false');
    vi.stubEnv('STAGE', 'prod');
    await expect(findProvider(batchClient)).rejects.toThrow(/HTTPS/);
  });

  //   sign-in   |--waits for the provider------------------------ 5 s --| /login?problem=idp
  //   operator     |--reads the state--|
  test('one that hangs delays its sign-in by its time-out, and no other route', async () => {
    const hanging = createServer();
    await new Promise<void>((listening) => hanging.listen(0, '127.0.0.1', listening));
    const address = hanging.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const sockets: { destroy(): void }[] = [];
    const connected = new Promise<void>((resolve) => {
      hanging.on('connection', (socket) => {
        sockets.push(socket);
        resolve();
      });
    });
    const done: string[] = [];
    const signIn = beginAt(`http://127.0.0.1:${port}`).then((answer) => {
      done.push('sign-in');
      return answer;
    });
    await connected;
    const { send } = newVisitor();
    expect((await send(getState, { headers: { 'X-API-Key': SANDBOX_KEY } })).status).toBe(200);
    done.push('state');
    const { headers } = await signIn;
    expect([headers.location, done]).toEqual([PROBLEM, ['state', 'sign-in']]);
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => hanging.close(closed));
  });
});
