import type { Bytes } from '../../der/bytes.ts';
import { DerError } from '../../der/element.ts';
import type { Bags } from '../../pki/pkcs12/bags.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../pki/pkcs12/errors.ts';
import { openBags } from '../../pki/pkcs12/open-bags.ts';
import { MAX_PKCS12_BYTES } from '../../pki/pkcs12/pfx.ts';
import { webHost } from '../../pki/pkcs12/web-host.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { Pkcs12Refused } from './pkcs12-refused.ts';
import { importKey, isKeyOf, type SigningKey } from './signing-key.ts';

/** A key and its certificate. */
export type Identity = { readonly key: SigningKey; readonly certificate: Certificate };

/**
 * Opens a PKCS#12 file (.p12, .pfx) in the page. The file, its password and its key never leave the browser, and the
 * key cannot be exported from the result. Throws Pkcs12Refused.
 * @example const { key, certificate } = await openPkcs12(input.files[0], '1234');
 */
export async function openPkcs12(file: Blob, password: string): Promise<Identity> {
  if (file.size > MAX_PKCS12_BYTES) throw new Pkcs12Refused('tooLarge');
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    // The MAC is not checked: it may need 600,000 rounds that WebCrypto cannot do. A wrong password shows in the
    // padding, and a substituted key does not match its certificate.
    return await identityOf(await openBags(bytes, password, webHost));
  } catch (cause) {
    throw refusalOf(cause);
  }
}

function refusalOf(cause: unknown): unknown {
  if (cause instanceof WrongPassword) return new Pkcs12Refused('wrongPassword', { cause });
  if (cause instanceof UnsupportedPkcs12) return new Pkcs12Refused('unsupported', { cause });
  const isUnreadable = cause instanceof BrokenPkcs12 || cause instanceof DerError;
  return isUnreadable ? new Pkcs12Refused('unreadable', { cause }) : cause;
}

// The public key matches a key to its certificate; the names in the file do not count. Of several certificates the one
// with the latest end is chosen: a file may contain an expired one beside its renewal.
async function identityOf({ keys, certificates }: Bags): Promise<Identity> {
  if (keys.length === 0) throw new Pkcs12Refused('noKey');
  const newestFirst = certificates.map(readCertificate).toSorted((a, b) => b.notAfterMs - a.notAfterMs);
  const imported = await Promise.all(keys.map(importAndErase));
  const usable = imported.filter((key) => key !== undefined);
  if (usable.length === 0) throw new Pkcs12Refused('unsupported');
  for (const certificate of newestFirst) {
    for (const key of usable) {
      if (await isKeyOf(key, certificate.publicKey)) return { key, certificate };
    }
  }
  throw new Pkcs12Refused('noCertificate');
}

async function importAndErase(pkcs8: Bytes): Promise<SigningKey | undefined> {
  try {
    return await importKey(pkcs8);
  } catch (cause) {
    throw new Pkcs12Refused('unreadable', { cause });
  } finally {
    pkcs8.fill(0); // only the CryptoKey keeps the key
  }
}
