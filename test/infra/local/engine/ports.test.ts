import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { freePort, requirePort } from '../../../../infra/local/engine/ports.ts';

async function occupy(port: number, host: string) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { release: () => new Promise((resolve) => server.close(resolve)) };
}

describe('a port that the engine needs', () => {
  test('is there at once when it is free', async () => {
    await expect(requirePort(await freePort())).resolves.toBeUndefined();
  });

  test.each(['127.0.0.1', '::1', '0.0.0.0', '::'])(
    'is taken when another program has it on %s, and waited for until that one lets go',
    async (host) => {
      const port = await freePort();
      const other = await occupy(port, host);
      let got = false;
      const needing = requirePort(port).then(() => {
        got = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(got).toBe(false);
      await other.release();
      await needing;
    },
  );

  test.runIf(process.platform === 'linux')(
    'is taken when a suspended program has it, and too many wait to be let in',
    async () => {
      const port = await freePort();
      const serve = `require('node:net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: 1 }, () => console.log('up'))`;
      const child = spawn(process.execPath, ['-e', serve], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      child.kill('SIGSTOP');
      const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
      await once(waiting[0] as Socket, 'connect');
      await expect(requirePort(port, { patienceMs: 0, probeMs: 200 })).rejects.toThrow(
        `Port ${port} is taken by another program.`,
      );
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
    },
  );

  test('is given up with a line that says what to do', async () => {
    const port = await freePort();
    const other = await occupy(port, '127.0.0.1');
    await expect(requirePort(port, { patienceMs: 0 })).rejects.toThrow(
      `Port ${port} is taken by another program.`,
    );
    await other.release();
  });
});
