import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePem } from '../../../../shared/pki/pem.ts';
import type { Holder } from '../../../certificates/pki.ts';

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

/** What openssl signs as this holder, in DER, attached unless told otherwise, with these arguments of its own. */
export function opensslSigner(
  files: Folder,
  { privateKey, certificate, chain }: Holder,
  content: Uint8Array,
  kind: 'attached' | 'detached' = 'attached',
) {
  const id = certificate.sha256.slice(0, 16);
  const fixed = [
    ...['cms', '-sign', '-binary', '-outform', 'DER', ...(kind === 'attached' ? ['-nodetach'] : [])],
    ...['-in', files.file(`${id}.content`, content)],
    ...['-signer', files.file(`${id}.pem`, writePem('CERTIFICATE', certificate.der))],
    ...['-inkey', files.file(`${id}.key`, privateKey.export({ format: 'pem', type: 'pkcs8' }))],
    ...['-certfile', files.file(`${id}.ca`, chain.map(({ der }) => writePem('CERTIFICATE', der)).join(''))],
  ];
  return (...args: readonly string[]): Buffer => {
    const made = openssl(...fixed, ...args);
    if (!made.ok) throw new Error(`openssl did not sign. ${made.says}`);
    return made.stdout;
  };
}
