import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandRefusal, causeOf } from '../../shared/command-line/reason.ts';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../shared/pki/pkcs12/errors.ts';
import { openPkcs12 } from '../../shared/pki/pkcs12/open.ts';
import { SigningRefused } from '../../shared/signing/errors.ts';
import { localKey, type SigningKey } from '../../shared/signing/key.ts';
import { type Contents, type KeyStore, KeyUnusable, type PresentResult } from './key-store.ts';

/**
 * The keys of a PKCS#12 file. Its certificates are encrypted too, so nothing is visible before its PIN opens it.
 * @example const store = pkcs12Store('/home/ana/ana.p12');
 */
export function pkcs12Store(path: string): KeyStore {
  if (!existsSync(path)) throw new CommandRefusal(`There is no file ${path}.`);
  let opened: { readonly source: string; readonly keys: ReadonlyMap<string, SigningKey> } | undefined;
  const certificates = (): Certificate[] => [...(opened?.keys.values() ?? [])].map((key) => key.certificate);

  return {
    name: basename(path),
    async look(): Promise<Contents | undefined> {
      const bytes = await readFile(path).catch(() => undefined);
      if (!bytes) return undefined;
      const source = sourceOf(bytes);
      const isOpen = opened?.source === source;
      return { source, certificates: isOpen ? certificates() : undefined, lastTry: false };
    },
    async present(pin): Promise<PresentResult> {
      try {
        const bytes = await readFile(path);
        const { entries } = await openPkcs12(bytes, pin);
        const keys = entries.flatMap((entry) =>
          skipRefused(() => localKey(entry.privateKey, entry.certificate, [])),
        );
        opened = {
          source: sourceOf(bytes),
          keys: new Map(keys.map((key) => [key.certificate.sha256, key])),
        };
        return { kind: 'accepted', certificates: certificates() };
      } catch (error) {
        if (error instanceof WrongPassword) return { kind: 'rejected' };
        const isFile = error instanceof BrokenPkcs12 || error instanceof UnsupportedPkcs12;
        return { kind: 'unusable', reason: isFile ? error.message : `${path}: ${causeOf(error)}` };
      }
    },
    async sign({ sha256, digest, hash }) {
      const key = opened?.keys.get(sha256);
      if (!key) throw new KeyUnusable(`${basename(path)} does not hold the key of this certificate.`);
      return key.signHash(digest, hash);
    },
    lock() {
      opened = undefined;
    },
    close() {
      opened = undefined;
    },
  };
}

const sourceOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

// A file may hold an old key beside the one in use. A key that may not sign is skipped.
function skipRefused<T>(make: () => T): T[] {
  try {
    return [make()];
  } catch (error) {
    if (error instanceof SigningRefused) return [];
    throw error;
  }
}
