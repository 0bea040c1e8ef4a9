import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, type HostProcess, REQUIRED, startHostProcess } from './host-process.ts';

let host: HostProcess;
beforeAll(async () => {
  host = await startHostProcess({
    settings: { ...REQUIRED, 'Http:BodyWindow': 1 },
  });
  await host.ready();
}, 300_000);
afterAll(cleanUp);

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: host.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject).on('error', () => undefined);
      resolve(socket);
    });
  });

const HEAD = 'Host: localhost\r\nConnection: close\r\n';

// At once: two of them wait ten seconds for the host to lose its patience.
describe.concurrent('hostile connections', () => {
  test('2,000 that send nothing do not keep others from being answered, and are closed', async () => {
    const idle = await Promise.all(Array.from({ length: 2_000 }, open));
    for (let round = 0; round < 20; round += 1)
      expect((await fetch(`${host.url}/session/healthz`)).status).toBe(200);
    // Answered 408 or cut off: each of them ends.
    await Promise.all(idle.map((socket) => text(socket).catch(() => '')));
    for (const socket of idle) socket.destroy();
  });

  test('headers that trickle are refused', async () => {
    const socket = await open();
    socket.write('GET /session/healthz HTTP/1.1\r\nHost: local');
    const trickle = setInterval(() => socket.write('a'), 200);
    const answer = await text(socket).catch(() => '');
    clearInterval(trickle);
    expect(answer).toMatch(/^HTTP\/1\.1 408 |^$/);
    socket.destroy();
  });

  test('a body that trickles is refused, and so is its connection', async () => {
    const socket = await open();
    socket.write(
      'POST /documents/oauth-like/none HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
    );
    const trickle = setInterval(() => socket.write(' '), 100);
    const answer = await text(socket);
    clearInterval(trickle);
    expect(answer).toMatch(/^HTTP\/1\.1 4/);
    expect(answer.toLowerCase()).toContain('connection: close');
    socket.destroy();
  });

  test('a caller that has ended its side gets its answer', async () => {
    const socket = await open();
    socket.end(`GET /session/healthz HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('a caller that goes away in the middle of its body disturbs nobody', async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = await open();
      socket.write(`POST /session/v1/sessions HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n{"a"`);
      socket.resetAndDestroy();
    }
    expect((await fetch(`${host.url}/session/healthz`)).status).toBe(200);
  });

  test('headers over 16 KB are refused, and so is what is no HTTP', async () => {
    const answers = await Promise.all(
      [`GET / HTTP/1.1\r\n${HEAD}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 'hello\r\n\r\n'].map(
        async (sent) => {
          const socket = await open();
          socket.write(sent);
          return text(socket);
        },
      ),
    );
    expect(answers[0]).toMatch(/^HTTP\/1\.1 431 /);
    expect(answers[1]).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a second request on a connection is read where the first one ends', async () => {
    const socket = await open();
    socket.write(
      `POST /session/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nabcdGET /session/healthz HTTP/1.1\r\n${HEAD}\r\n`,
    );
    const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['401', '200']);
  });
});

// callers   |--request--|--request--|-- … each waits for its answer, on new connections and on kept ones
// one       |--half of a body------------------ the rest--|
// host            SIGTERM |--answers all that it has accepted--| ends with 0
//
// A connection that is refused was never accepted: nothing is lost with it. Any other failure is a lost request.
test('SIGTERM under load loses no request', async () => {
  const outcomes = { answered: 0, refused: 0, lost: [] as string[] };
  let isOver = false;
  const call = async (headers: Record<string, string>) => {
    while (!isOver) {
      try {
        const answer = await fetch(`${host.url}/session/v1/sessions/status?sessionId=x`, { headers });
        await answer.text();
        if (answer.status === 401) outcomes.answered += 1;
        else outcomes.lost.push(String(answer.status));
      } catch (error) {
        const { code } = (error as { cause?: NodeJS.ErrnoException }).cause ?? {};
        if (code !== 'ECONNREFUSED') outcomes.lost.push(code ?? String(error));
        else outcomes.refused += 1;
        if (outcomes.refused > 100) return;
      }
    }
  };
  const callers = Array.from({ length: 20 }, (_, at) => call(at < 4 ? { connection: 'close' } : {}));
  const slow = await open();
  slow.write('POST /session/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab');
  await expect.poll(() => outcomes.answered).toBeGreaterThan(200);
  host.process.kill('SIGTERM');
  await expect.poll(() => outcomes.refused).toBeGreaterThan(0);
  slow.write('cd');
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 401 /);
  expect(await host.exited).toBe(0);
  isOver = true;
  await Promise.all(callers);
  expect(outcomes.lost).toEqual([]);
  expect(host.logged().some(({ message }) => message.includes('cut off'))).toBe(false);
});
