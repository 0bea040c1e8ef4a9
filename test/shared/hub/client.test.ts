import { expect, test } from 'vitest';
import { deadlineIn } from '../../../shared/async/deadline.ts';
import { hubClient } from '../../../shared/hub/client.ts';
import { HubRefused, HubUnreachable } from '../../../shared/hub/errors.ts';
import { forFile } from '../../runner/for-file.ts';
import { startServer } from '../net/a-server.ts';

let answer: { readonly status: number; readonly body: string } | undefined;
const received: { call: string; key: unknown; body: string }[] = [];
const server = await forFile(
  startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ call: `${request.method} ${request.url}`, key: request.headers['x-api-key'], body });
    if (answer) response.writeHead(answer.status).end(answer.body);
  }),
);

const hub = hubClient({
  apiKey: 'app|secret',
  get address() {
    return `${server.url}/hub`;
  },
});
const soon = (ms = 5_000) => deadlineIn(ms, Date.now);
const answering = (status: number, value: unknown) => {
  answer = { status, body: typeof value === 'string' ? value : JSON.stringify(value) };
};
const REQUEST = {
  redirectUri: 'https://portal.example/return',
  identifier: '52998224725',
  type: 'SingleSignature' as const,
  lifetimeSeconds: 900,
  customState: 'a1',
};
const service = (authUrl: string) => ({ serviceInfo: { serviceName: 'alpha', provider: 'Alpha' }, authUrl });

test('a session is created for one signature of a person', async () => {
  answering(200, { services: [service('https://alpha.example/authorize?state=1')] });
  expect(await hub.createSession(REQUEST, soon())).toEqual([
    { name: 'Alpha', serviceName: 'alpha', authUrl: 'https://alpha.example/authorize?state=1' },
  ]);
  const { call, key, body } = received.at(-1) ?? { call: '', key: '', body: '{}' };
  expect([call, key, JSON.parse(body)]).toEqual([
    'POST /hub/api/sessions',
    'app|secret',
    {
      redirectUri: REQUEST.redirectUri,
      identifier: REQUEST.identifier,
      identifierType: 'CPF',
      type: 'SingleSignature',
      lifetimeInSeconds: 900,
      customState: 'a1',
    },
  ]);
});

test('a session goes into the address encoded', async () => {
  answering(200, null);
  expect(await hub.customStateOf('a&b=../', soon())).toBeNull();
  expect(received.at(-1)?.call).toBe('GET /hub/api/sessions/custom-state?session=a%26b%3D..%2F');
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '/relative',
  '',
  `https://a.example/${'x'.repeat(9_000)}`,
])('a link to %.20s is not taken from a hub', async (authUrl) => {
  answering(200, { services: [service(authUrl)] });
  await expect(hub.createSession(REQUEST, soon())).rejects.toThrow(HubUnreachable);
});

test('a refusal has the hub’s code', async () => {
  answering(422, { code: 'SessionExpired', message: 'x' });
  const refused = await hub.certificateOf('s', soon()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HubRefused);
  expect(refused).toMatchObject({ status: 422, code: 'SessionExpired' });
  answering(400, { title: 'x', errors: {} });
  await expect(hub.certificateOf('s', soon())).rejects.toMatchObject({ status: 400, code: '400' });
  answering(422, { code: 'two\nlines' });
  await expect(hub.certificateOf('s', soon())).rejects.toMatchObject({ code: '422' });
});

test.each([
  [401, ''],
  [403, ''],
  [429, '{}'],
  [302, ''],
  [200, 'no JSON'],
  [200, `"${'A'.repeat(300_000)}"`],
])('%i says nothing about a session', async (status, body) => {
  answering(status, body);
  await expect(hub.signHash({ session: 's', hash: Buffer.alloc(32) }, soon())).rejects.toThrow(
    HubUnreachable,
  );
});

test('a failure of the provider comes with its code', async () => {
  answering(500, '"ProviderTimeout"');
  await expect(hub.signHash({ session: 's', hash: Buffer.alloc(32) }, soon())).rejects.toMatchObject({
    name: 'HubUnreachable',
    status: 500,
    code: 'ProviderTimeout',
  });
});

test('a hub that says nothing is left at the deadline, and none is asked after it', async () => {
  answer = undefined;
  await expect(hub.customStateOf('s', soon(50))).rejects.toThrow(HubUnreachable);
  const calls = received.length;
  await expect(hub.customStateOf('s', soon(0))).rejects.toThrow('No time is left');
  expect(received).toHaveLength(calls);
});
