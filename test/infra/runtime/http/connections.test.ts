import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientReader } from '../../../../infra/runtime/http/client.ts';
import type { Limits } from '../../../../infra/runtime/http/connections.ts';
import { sendPlain } from '../../../../infra/runtime/http/send.ts';
import { startServer } from '../../../../infra/runtime/http/server.ts';

// More than the kernels of both sides keep on its way.
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const MAX_PER_CLIENT = 3;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.unstubAllEnvs();
});

async function serve(limits: Limits = {}) {
  const server = startServer({
    clientOf: clientReader(['127.0.0.1']),
    async handle({ url }, response) {
      if (url === '/never') return;
      await sendPlain(response, { status: 200, headers: {}, body: url === '/large' ? LARGE : 'short' });
    },
    ...limits,
  });
  const parent = createServer({ pauseOnConnect: true, allowHalfOpen: true }, server.take).listen(
    0,
    '127.0.0.1',
  );
  ends.push(() => parent.close());
  await once(parent, 'listening');
  const { port } = parent.address() as AddressInfo;

  const ask = async (path: string, client = '203.0.113.7'): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    ends.push(() => socket.destroy());
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: ${client}\r\n\r\n`,
    );
    return socket;
  };
  return {
    answer: async (path: string, client?: string) => text(await ask(path, client)),
    /** Reads the beginning of a large answer, and then nothing. */
    async stop(client?: string) {
      const socket = await ask('/large', client);
      await once(socket, 'data');
      socket.pause();
      return socket;
    },
    ask,
  };
}

/** Whether the other side has ended it: known when what came before is read, less the beginning that was read already. */
const isCut = async (socket: Socket): Promise<boolean> => {
  const received = await text(socket).catch(() => undefined);
  return received === undefined || received.length < LARGE.length / 2;
};

describe('of a client that has as many connections as it may', () => {
  test('the answer that has stood still for longest makes room, and no other', async () => {
    const { stop, answer } = await serve({ maxPerClient: MAX_PER_CLIENT });
    const readers = [await stop(), await stop(), await stop()];
    expect(await answer('/short')).toContain('short');
    expect(await answer('/short')).toContain('short');
    const [first, ...others] = readers;
    expect(await isCut(first as Socket)).toBe(true);
    expect(await Promise.all(others.map(isCut))).toEqual([false, false]);
  });

  test('behind a proxy it is the client that counts, and another one does not notice', async () => {
    const { stop, answer } = await serve({ maxPerClient: MAX_PER_CLIENT });
    const other = await stop('203.0.113.8');
    const readers = [await stop(), await stop(), await stop()];
    expect(await answer('/short')).toContain('short');
    expect(await isCut(readers[0] as Socket)).toBe(true);
    expect(await isCut(other)).toBe(false);
  });

  test('the next is told to come again where all of them are at work', async () => {
    const { ask, answer } = await serve({ maxPerClient: MAX_PER_CLIENT });
    for (let n = 0; n < MAX_PER_CLIENT; n++) await ask('/never');
    await expect.poll(() => answer('/short')).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1/i);
    expect(await answer('/short', '203.0.113.8')).toContain('short');
  });
});

test('readers of many addresses that stand still make room for others', async () => {
  const { stop, answer } = await serve({ maxConnections: 3 });
  const readers = [await stop('203.0.113.1'), await stop('203.0.113.2'), await stop('203.0.113.3')];
  expect(await answer('/short')).toContain('short');
  expect(await isCut(readers[0] as Socket)).toBe(true);
});

describe('a reader', () => {
  beforeEach(() => void vi.stubEnv('Http__BodyWindow', '1'));

  test('that takes nothing for three windows is cut off', async () => {
    const { stop } = await serve();
    const socket = await stop();
    // A paused socket learns of its end by what it sends.
    const ended = new Promise((resolve) => socket.once('close', resolve));
    const sending = setInterval(() => socket.write('\r\n'), 100);
    await ended;
    clearInterval(sending);
  });
});
