import { execFileSync } from 'node:child_process';

// '+F2:2:2048:293.9:10706.0' : signatures and verifications a second.

/** RSA-2048 signatures a second by openssl on one core. */
export function opensslPerSecond(seconds: number): number {
  const text = execFileSync('openssl', ['speed', '-mr', '-seconds', String(seconds), 'rsa2048'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const rate = Number(/\+F2:\d+:2048:([\d.]+)/.exec(text)?.[1]);
  if (!(rate > 1)) throw new Error(`openssl speed printed no signatures a second for rsa2048: ${text}`);
  return rate;
}
