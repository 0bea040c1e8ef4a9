import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { ring } from '../../../certificates/rings.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';

const receiver = receiversOfATest();

describe('an attempt', () => {
  test('is a POST of the event as JSON in UTF-8, byte for byte what was serialised', async () => {
    const inbox = await receiver();
    const { register, happen, run, read } = anEngine();
    const { id } = await register({ url: `${inbox.url}/hooks/a?b=c` });
    const data = { name: 'contrato de prestação – 契約 🖋 "x"\u2028.pdf', n: 1.5, none: null };
    const [eventId = ''] = await happen({ type: 'DocumentSigned', data });
    await run(id);
    const [got] = inbox.received;
    expect(got).toMatchObject({ method: 'POST', path: '/hooks/a?b=c' });
    expect(got?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(got?.body).toBe(JSON.stringify({ type: 'DocumentSigned', data }));
    expect((await read(id, eventId)).body).toBe(got?.body);
  });

  test.each([
    ['NoAuth', '', undefined, undefined],
    ['Basic', 'dXNlcjpwYXNz', 'Basic dXNlcjpwYXNz', undefined],
    ['Bearer', 'a token, as it is', 'Bearer a token, as it is', undefined],
    ['ApiKey', 'app|secret', undefined, 'app|secret'],
  ] as const)(
    'with %s authenticates by the token exactly as registered',
    async (authType, token, auth, key) => {
      const inbox = await receiver();
      const { register, happen, run } = anEngine();
      const { id } = await register({ url: inbox.url, authType, token });
      await happen();
      await run(id);
      expect(inbox.received[0]?.headers.authorization).toBe(auth);
      expect(inbox.received[0]?.headers['x-api-key']).toBe(key);
    },
  );

  test('is not made when the token does not open, and says what to do', async () => {
    const inbox = await receiver();
    const { register, happen, run, read } = anEngine();
    const { id } = await register({ url: inbox.url, authType: 'Bearer', token: 'abc' });
    const [eventId = ''] = await happen();
    vi.stubEnv('Sealing__Keys', ring(9));
    await run(id);
    vi.unstubAllEnvs();
    expect(inbox.received).toEqual([]);
    const { attempts } = await read(id, eventId);
    expect(attempts).toMatchObject([{ error: expect.stringContaining('send its token and secret again') }]);
  });

  test('carries no signature when no secret is registered', async () => {
    const inbox = await receiver();
    const { register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect(
      Object.keys(inbox.received[0]?.headers ?? {}).filter((name) => name.startsWith('webhook-')),
    ).toEqual(['webhook-id']);
  });

  test('is signed as Standard Webhooks says when a secret is registered', async () => {
    const inbox = await receiver();
    const { register, happen, run, now } = anEngine();
    const key = randomBytes(32);
    const { id } = await register({ url: inbox.url, secret: `whsec_${key.toString('base64')}` });
    await happen();
    await run(id);
    const { headers, body = '' } = inbox.received[0] ?? {};
    expect(headers?.['webhook-timestamp']).toBe(String(Math.floor(now() / 1000)));
    const signed = `${headers?.['webhook-id']}.${headers?.['webhook-timestamp']}.${body}`;
    const mac = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers?.['webhook-signature']).toBe(`v1,${mac}`);
  });

  test.each([200, 201, 202, 204, 226, 299])('that is answered %d confirms the delivery', async (status) => {
    const inbox = await receiver(answering(status));
    const { register, happen, run, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 1, last: { status } }]);
  });

  test.each([304, 400, 401, 404, 410, 429, 500, 503])('that is answered %d has failed', async (status) => {
    const inbox = await receiver(answering(status, {}, status === 304 ? '' : 'no, thanks'));
    const { register, happen, run, read } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    const { delivery, attempts } = await read(id, eventId);
    expect(delivery).toMatchObject({ state: 'Pending', attempts: 1, last: { status } });
    expect(attempts).toMatchObject([{ number: 1, status, body: status === 304 ? '' : 'no, thanks' }]);
  });

  test.each([301, 302, 303, 307, 308])(
    'that is redirected by %d has failed and goes nowhere else',
    async (status) => {
      const elsewhere = await receiver();
      const inbox = await receiver(answering(status, { location: `${elsewhere.url}/` }));
      const { register, happen, run, all } = anEngine();
      const { id } = await register({ url: inbox.url });
      await happen();
      await run(id);
      expect(await all(id)).toMatchObject([{ state: 'Pending', last: { status } }]);
      expect(elsewhere.received).toEqual([]);
    },
  );

  test('that nobody answers in time has failed, and says so', async () => {
    const inbox = await receiver(() => undefined);
    const { register, happen, run, read } = anEngine({ policy: { timeoutSeconds: 0.1 } });
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    const [attempt] = (await read(id, eventId)).attempts;
    expect(attempt?.error).toMatch(/did not answer within 100 ms/);
    expect(attempt?.status).toBeUndefined();
  });

  test.each([
    [200, 'Confirmed'],
    [500, 'Pending'],
  ])('whose status came in time counts by it, even if the body does not end: %d', async (status, state) => {
    const inbox = await receiver((_, response) => {
      response.writeHead(status).write('.');
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const { register, happen, run, all } = anEngine({ policy: { timeoutSeconds: 2 } });
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect(await all(id)).toMatchObject([{ state, last: { status } }]);
  });

  test('to a machine that does not listen, or hangs up, has failed', async () => {
    const gone = await receiver();
    await gone.stop();
    const rude = await receiver((_, __, request) => request.socket.destroy());
    for (const { url } of [gone, rude]) {
      const { register, happen, run, all } = anEngine();
      const { id } = await register({ url });
      await happen();
      await run(id);
      expect(await all(id)).toMatchObject([
        { state: 'Pending', last: { error: expect.stringMatching(/could not be reached/) } },
      ]);
    }
  });

  test('that failed keeps the first 20 kB of what was answered, and reads no more', async () => {
    const inbox = await receiver((_, response) => {
      response.writeHead(500);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const { register, happen, run, read } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    const [attempt] = (await read(id, eventId)).attempts;
    expect(attempt).toMatchObject({ status: 500, body: 'x'.repeat(20_480) });
  });

  test('is confirmed by its status, however large, broken or endless the body that follows', async () => {
    const huge = await receiver((_, response) => response.writeHead(200).end('x'.repeat(5_000_000)));
    const broken = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('begin', () => response.destroy());
    });
    const endless = await receiver((_, response) => response.writeHead(200).write('begin'));
    for (const { url } of [huge, broken, endless]) {
      const { register, happen, run, all } = anEngine({ policy: { timeoutSeconds: 2 } });
      const { id } = await register({ url });
      await happen();
      await run(id);
      expect(await all(id)).toMatchObject([{ state: 'Confirmed' }]);
    }
  });

  test('is kept as text whatever bytes were answered', async () => {
    const inbox = await receiver((_, response) =>
      response.writeHead(500).end(Buffer.from([0xff, 0x00, 0x41])),
    );
    const { register, happen, run, read } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    expect((await read(id, eventId)).attempts[0]?.body).toBe('\ufffd\u0000A');
  });
});
