import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Provider } from '../../../../../functions/hub/domain/providers/provider.ts';
import { testPki } from '../../../../certificates/pki.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { captureLog } from '../../../session/captured-log.ts';
import {
  type Answering,
  exchangeCode,
  failure,
  hangUp,
  heldAs,
  holdsCertificate,
  json,
  listCertificates,
  providerAt,
  raw,
  SECRET,
  signed,
  signHashes,
  silence,
  startProvider,
} from './a-provider.ts';

const at = await forFile(startProvider());

const CPF = { type: 'CPF', value: '52998224725' } as const;
const holder = testPki().holder();
const hash = createHash('sha256').update('x').digest();
// Long enough for a busy machine to connect.
const SHORT = { discoverySeconds: 0.4, tokenSeconds: 0.4, certificatesSeconds: 0.4, signatureSeconds: 0.4 };

const discover = (provider: Provider, application = 'one') =>
  holdsCertificate(provider, CPF, { application });
const exchange = (provider: Provider) =>
  exchangeCode(provider, {
    code: 'the code',
    codeVerifier: 'the verifier',
    redirectUri: 'https://hub.example/cb',
    lifetimeSeconds: 300,
  });
const sign = (provider: Provider) =>
  signHashes(provider, 'the token', { held: heldAs('a', holder), digest: 'sha256', hashes: [hash] });

describe('a provider that gives no answer', () => {
  test('has its own time-out, and may have signed', async () => {
    at.answers(silence);
    const provider = at.provider({ timeouts: SHORT });
    expect(await failure(sign(provider))).toMatchObject({ reason: 'timeout', mayHaveActed: true });
    expect(await failure(exchange(provider))).toMatchObject({ reason: 'timeout', mayHaveActed: true });
    expect(await failure(discover(provider))).toMatchObject({ reason: 'timeout', mayHaveActed: false });
    expect(await failure(listCertificates(provider, 'the token'))).toMatchObject({ reason: 'timeout' });
  });

  test('is late when its answer does not end in time', async () => {
    at.answers((_, response) => response.writeHead(200).write('{"status":'));
    expect((await failure(discover(at.provider({ timeouts: SHORT })))).reason).toBe('timeout');
  });

  test('may have signed when the connection breaks', async () => {
    at.answers(hangUp);
    expect(await failure(sign(at.provider()))).toMatchObject({ reason: 'unreachable', mayHaveActed: true });
  });

  test('has not signed when there was no connection', async () => {
    const gone = providerAt('http://127.0.0.1:1/v0/oauth');
    expect(await failure(sign(gone))).toMatchObject({ reason: 'unreachable', mayHaveActed: false });
    const unnamed = providerAt('http://nowhere.invalid/v0/oauth');
    expect(await failure(sign(unnamed))).toMatchObject({ reason: 'unreachable', mayHaveActed: false });
  });

  test('takes no more time for its application token and its answer than for its answer alone', async () => {
    at.answers(async ({ path }, response) => {
      if (path !== '/client_token') return;
      await pause(60);
      json({ access_token: 't', expires_in: 600 })({} as never, response);
    });
    const provider = at.provider({ discovery: 'application-token', timeouts: { discoverySeconds: 2 } });
    const { reason, message } = await failure(discover(provider));
    expect(reason).toBe('timeout');
    expect(at.got.map(({ path }) => path)).toEqual(['/client_token', '/user-discovery']);
    expect(Number(/within (\d+) ms/.exec(message)?.[1])).toBeLessThanOrEqual(1_941);
  });
});

describe('a provider that says no', () => {
  const rows: readonly [string, Answering, object][] = [
    ['401', raw('', 401), { reason: 'token-rejected', mayHaveActed: false }],
    [
      'invalid_token',
      json({ error: 'invalid_token' }, 400),
      { reason: 'token-rejected', error: 'invalid_token' },
    ],
    ['400', json({ error: 'invalid_request' }, 400), { reason: 'refused', mayHaveActed: false, status: 400 }],
    ['403', json({ error: 'insufficient_scope' }, 403), { reason: 'refused', status: 403 }],
    ['429', raw('', 429), { reason: 'busy', mayHaveActed: false }],
    ['500', raw('<h1>no</h1>', 500), { reason: 'unreachable', mayHaveActed: true, status: 500 }],
    ['503', json({}, 503), { reason: 'unreachable', mayHaveActed: false }],
    ['504 of a gateway', raw('', 504), { reason: 'unreachable', mayHaveActed: true }],
  ];
  test.each(rows)('to a signature: %s', async (_, answer, expected) => {
    at.answers(answer);
    expect(await failure(sign(at.provider()))).toMatchObject(expected);
  });

  test('to the hub itself rejects no token of a holder', async () => {
    at.answers(json({ error: 'invalid_client' }, 401));
    expect(await failure(exchange(at.provider()))).toMatchObject({
      reason: 'refused',
      error: 'invalid_client',
    });
    expect(await failure(discover(at.provider()))).toMatchObject({
      reason: 'refused',
      error: 'invalid_client',
    });
  });

  test('in words of its own is quoted only by the protocol’s', async () => {
    at.answers(json({ error: 'your secret was 7731', error_description: 'x' }, 400));
    const { error, message } = await failure(exchange(at.provider()));
    expect(error).toBeUndefined();
    expect(message).not.toContain('7731');
  });
});

describe('where a call leads', () => {
  test('no further than the provider: a redirect to a private address, or anywhere, is not followed', async () => {
    at.answers(({ path }, response) =>
      path === '/elsewhere'
        ? raw('{}')({} as never, response)
        : response.writeHead(302, { location: `${at.url}/elsewhere` }).end(),
    );
    expect(await failure(listCertificates(at.provider(), 'the token'))).toMatchObject({
      reason: 'unreadable',
      status: 302,
    });
    expect(at.got).toHaveLength(1);
  });

  test.each(['http://127.0.0.1', 'http://169.254.169.254', 'http://[::ffff:10.0.0.1]', 'http://localhost'])(
    'to no private machine, by number or by name, unless the setting allows it: %s',
    async (origin) => {
      vi.stubEnv('Network__AllowPrivateAddresses', 'false');
      at.answers(json({ status: 'S' }));
      const before = at.connections();
      const provider = providerAt(`${origin}:${new URL(at.url).port}/v0/oauth`);
      expect(await failure(discover(provider))).toMatchObject({ reason: 'unreachable', mayHaveActed: false });
      expect(at.connections()).toBe(before);
      vi.stubEnv('Network__AllowPrivateAddresses', 'true');
    },
  );

  test('no secret goes to an address that was changed in the store', async () => {
    at.answers(json({ status: 'S' }));
    const moved = { ...providerAt('https://p.example/v0/oauth'), baseUrl: `${at.url}/v0/oauth` };
    const quiet = captureLog();
    const failed = await failure(discover(moved)).finally(quiet.restore);
    expect(failed).toMatchObject({ reason: 'refused', mayHaveActed: false });
    expect(failed.message).toContain('does not open');
    expect(at.got).toEqual([]);
  });
});

test('an answer of more than a megabyte is given up', async () => {
  at.answers(raw(JSON.stringify({ status: 'S', filler: 'x'.repeat(1_100_000) })));
  expect((await failure(discover(at.provider()))).reason).toBe('unreadable');
});

describe('a provider that fails again and again', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.stubEnv('Providers__CircuitFailures', '2');
    vi.stubEnv('Providers__CircuitOpenFor', '30');
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is left alone for a while, tried by one call, and asked again once it answers', async () => {
    const provider = at.provider();
    at.answers(raw('', 500));
    await failure(discover(provider));
    await failure(discover(provider));
    expect(await failure(discover(provider))).toMatchObject({ reason: 'unreachable', mayHaveActed: false });
    expect(at.got).toHaveLength(2);

    vi.setSystemTime(Date.now() + 30_000);
    await failure(discover(provider));
    await failure(discover(provider));
    expect(at.got).toHaveLength(3);

    vi.setSystemTime(Date.now() + 30_000);
    at.answers(json({ status: 'S' }));
    expect(await discover(provider)).toBe(true);
    expect(await discover(provider)).toBe(true);
    expect(at.got).toHaveLength(2);
  });

  test('in one kind of calls is still asked for the others', async () => {
    const provider = at.provider();
    at.answers(raw('', 500));
    await failure(discover(provider));
    await failure(discover(provider));
    at.answers(json({ certificates: [] }));
    expect(await listCertificates(provider, 'the token')).toEqual([]);
  });

  test('is not left alone for what it refuses, nor for what is wrong with one holder', async () => {
    const provider = at.provider();
    for (const answer of [raw('', 401), json({ certificates: [{ certificate: 'cut' }] })]) {
      at.answers(answer);
      for (let call = 0; call < 3; call++) await failure(listCertificates(provider, 'the token'));
      expect(at.got).toHaveLength(3);
    }
  });
});

describe('whoever fails', () => {
  beforeEach(() => {
    vi.stubEnv('Providers__CircuitFailures', '2');
  });

  test('cuts off no other application', async () => {
    const provider = at.provider();
    at.answers(raw('', 500));
    for (let call = 0; call < 3; call++) await failure(discover(provider, 'one'));
    expect(at.got).toHaveLength(2);
    at.answers(json({ status: 'S' }));
    await failure(discover(provider, 'one'));
    expect(await discover(provider, 'other')).toBe(true);
  });

  test('to confirm a signature cuts off nobody who does', async () => {
    const provider = at.provider({ timeouts: SHORT });
    at.answers(silence);
    for (let call = 0; call < 3; call++) expect((await failure(sign(provider))).reason).toBe('timeout');
    expect(at.got).toHaveLength(3);
  });
});

describe('calls side by side', () => {
  test('are no more at once than is set, and the others wait for a place', async () => {
    vi.stubEnv('Providers__MaxConcurrentCalls', '4');
    let [now, most] = [0, 0];
    // The first answer waits for the fourth call.
    const together = Promise.withResolvers<void>();
    at.answers(async (_, response) => {
      most = Math.max(most, ++now);
      if (now === 4) together.resolve();
      await together.promise;
      await pause(5);
      now--;
      json({ status: 'S' })({} as never, response);
    });
    const provider = at.provider();
    const found = await Promise.all(Array.from({ length: 40 }, () => discover(provider)));
    expect(found.every(Boolean)).toBe(true);
    expect(most).toBe(4);
  });

  test('wait no longer than their own time, however many hang before them', async () => {
    vi.stubEnv('Providers__MaxConcurrentCalls', '2');
    at.answers(silence);
    // A quarter of it lies between the end of the last wait and the end of the first call.
    const provider = at.provider({ timeouts: { ...SHORT, discoverySeconds: 2 } });
    const all = await Promise.all(Array.from({ length: 20 }, () => failure(discover(provider))));
    const reasons = all.map(({ reason }) => reason).toSorted();
    expect(new Set(reasons)).toEqual(new Set(['busy', 'timeout']));
    expect(reasons.filter((reason) => reason === 'timeout')).toHaveLength(2);
    expect(at.got).toHaveLength(2);
  });
});

test('every call is one line and one metric, with nothing of what was sent or answered', async () => {
  const signature = await signed(holder, 'sha256', hash);
  vi.stubEnv('Log__Level', 'INFO');
  const log = captureLog();
  const provider = at.provider();
  try {
    at.answers(json({ raw_signature: signature.toString('hex') }));
    await sign(provider);
    at.answers(json({ status: 'S' }));
    await discover(provider);
    at.answers(json({ error: 'invalid_grant', error_description: 'the code' }, 400));
    await failure(exchange(provider));
  } finally {
    log.restore();
    vi.stubEnv('Log__Level', 'ERROR');
  }
  const lines = log
    .text()
    .split('\n')
    .filter((line) => line.includes(provider.name))
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: 'INFO', provider: provider.name, operation: 'signature', outcome: 'ok' },
    { level: 'INFO', operation: 'discovery', outcome: 'ok' },
    { level: 'WARN', operation: 'token', outcome: 'refused', status: 400, providerError: 'invalid_grant' },
  ]);
  for (const { ms, _aws } of lines) {
    expect(ms).toEqual(expect.any(Number));
    expect(_aws.CloudWatchMetrics[0].Dimensions).toEqual([['provider', 'operation', 'outcome']]);
  }
  const forms = (bytes: Buffer) => [bytes.toString('hex'), bytes.toString('base64')];
  const secrets = [
    SECRET,
    'the token',
    'the code',
    'the verifier',
    CPF.value,
    ...forms(hash),
    ...forms(signature),
  ];
  for (const secret of secrets) expect(log.text()).not.toContain(secret);
});
