import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../infra/child.ts';

const other = createServer();
const inbox = mkdtempSync(join(tmpdir(), 'sinete-taken-port-'));
beforeAll(() => new Promise<void>((ready) => other.listen(0, ready)));
afterAll(() => {
  other.close();
  rmSync(inbox, { recursive: true });
});

test.each(['certificate-login', 'cloud-signature', 'embedded-signing', 'receive-webhooks'])(
  '%s says in one line that its port is taken',
  async (example) => {
    const { port } = other.address() as AddressInfo;
    const env = { ...process.env, PORT: String(port), TOKEN: 'token', INBOX: inbox, CHAIN: '/dev/null' };
    const { code, error } = await command(`examples/${example}/main.ts`, {
      env,
      node: ['--conditions=sinete-source'],
    })();
    expect({ code, error }).toEqual({
      code: 1,
      error: `Port ${port} is taken by another program. Stop it, or choose another port: PORT=${port + 1}`,
    });
  },
);
