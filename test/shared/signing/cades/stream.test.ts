import { spawnSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { completeAttached } from '../../../../shared/signing/cades/complete.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { prepareCades } from '../../../../shared/signing/cades/prepare.ts';
import { signAttached } from '../../../../shared/signing/cades/sign.ts';
import { holderKey } from '../cms/fixtures.ts';

const key = holderKey();
const options = { signingTimeMs: Date.now() };

describe('content of any size', () => {
  test('passes by: the first bytes come out before the last go in', async () => {
    const content = Buffer.alloc(100_000, 'x');
    const { digest, hash, state } = prepareCades(await measure(content, 'sha256'), { ...key, ...options });
    let read = 0;
    async function* source(): AsyncGenerator<Buffer> {
      for (; read < content.length; ) {
        const from = read;
        read += 1000;
        yield content.subarray(from, read);
      }
    }
    const output = completeAttached(state, await key.signHash(digest, hash), source());
    await output.next();
    await output.next();
    expect(read).toBe(1000);
    await output.return(undefined);
  });

  test('is closed when whoever reads gives up', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(1000);
      } finally {
        closed = true;
      }
    }
    let opened = 0;
    const open = () => (opened++ ? source() : Buffer.alloc(100_000));
    for await (const chunk of signAttached(open, key, options)) if (chunk.length === 1000) break;
    expect(closed).toBe(true);
  });

  test('is signed and verified to the same bytes whether it comes at once or in pieces', async () => {
    const content = Buffer.alloc(70_001, 'abc');
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < content.length; at += 999) yield content.subarray(at, at + 999);
    }
    expect(await buffer(signAttached(pieces, key, options))).toEqual(
      await buffer(signAttached(() => content, key, options)),
    );
  });

  test('takes no more memory: signing and verifying 80 MB stay within 64 MB of what 1 MB takes', () => {
    expect(peak('sign', 80) - peak('sign', 1)).toBeLessThan(64 * MEGABYTE);
  });

  // Node lets tens of megabytes of used buffers stand before it collects them, so that two large sizes are compared.
  test('takes no more memory: encrypting and decrypting 90 MB take hardly more than 30 MB do', () => {
    expect(peak('encrypt', 90) - peak('encrypt', 30)).toBeLessThan(48 * MEGABYTE);
  });
});

const MEGABYTE = 1024 * 1024;

function peak(what: 'sign' | 'encrypt', megabytes: number): number {
  const args = ['--no-warnings', PROBE, what, String(megabytes)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThan(10 * MEGABYTE);
  return Number(stdout);
}

const PROBE = new URL('./memory.ts', import.meta.url).pathname;
