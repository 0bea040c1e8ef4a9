import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const missing = spawnSync('openssl', ['version']).error !== undefined;
if (missing && process.env.CI) throw new Error('CI judges with openssl, which is not installed.');
if (missing) console.warn('openssl is not installed: what it would judge is skipped.');

export const hasOpenssl = !missing;

export type Folder = {
  /** Writes a file into the folder and answers its path. */
  file(name: string, bytes: string | Uint8Array): string;
  path(name: string): string;
  remove(): void;
};

export function folder(): Folder {
  const at = mkdtempSync(join(tmpdir(), 'sinete-cms-'));
  const path = (name: string) => join(at, name);
  return {
    path,
    file: (name, bytes) => {
      writeFileSync(path(name), bytes);
      return path(name);
    },
    remove: () => rmSync(at, { recursive: true, force: true }),
  };
}

/** What openssl says: its status, and its words when it fails. */
export function openssl(...args: string[]): { ok: boolean; says: string; stdout: Buffer } {
  const { status, stderr, stdout } = spawnSync('openssl', args, { maxBuffer: 64 * 1024 * 1024 });
  return { ok: status === 0, says: stderr.toString(), stdout };
}

/** What openssl says of a CAdES signature in DER, with the lists of every authority. */
export function opensslVerifies(
  files: Folder,
  signature: Uint8Array,
  { trust, content, more = [] }: { trust: string; content?: Uint8Array; more?: readonly string[] },
) {
  return openssl(
    ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', files.file('judged.p7s', signature)],
    ...['-CAfile', trust, '-crl_check_all', '-purpose', 'any', '-out', files.path('out.bin')],
    ...(content ? ['-content', files.file('judged.content', content)] : []),
    ...more,
  );
}
