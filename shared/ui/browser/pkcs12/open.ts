import type { Bytes } from '../bytes.ts';
import { type Certificate, readCertificate } from '../certificate.ts';
import { Malformed } from '../der.ts';
import { importKey, isKeyOf, type SigningKey } from '../signing-key.ts';
import { type Bags, readBags } from './bags.ts';
import { decrypt } from './decrypt.ts';
import { Pkcs12Refused } from './errors.ts';
import { passwordReadings } from './passwords.ts';

/** A key and the certificate that it belongs to. */
export type Identity = { readonly key: SigningKey; readonly certificate: Certificate };

const MAX_FILE_BYTES = 200_000; // files of people and companies stay under 50 KB

/**
 * Opens a PKCS#12 file (.p12, .pfx) in the page. The file, its password and its key never leave the browser, and the
 * key cannot be taken out of what is returned. Throws Pkcs12Refused.
 * @example const { key, certificate } = await openPkcs12(input.files[0], '1234');
 */
export async function openPkcs12(file: Blob, password: string): Promise<Identity> {
  if (file.size > MAX_FILE_BYTES) throw new Pkcs12Refused('tooLarge');
  const bags = await readAll(file, password);
  // The file's MAC is not checked: it may take 600,000 rounds that WebCrypto cannot do. A wrong password shows in the
  // padding, and that key and certificate belong together is proved below.
  if (bags.opened === 0 && bags.shut > 0) throw new Pkcs12Refused('wrongPassword');
  if (bags.shut > 0) throw new Pkcs12Refused('unreadable');
  if (bags.keys.length === 0) throw new Pkcs12Refused('noKey');
  return identityOf(bags);
}

async function readAll(file: Blob, password: string): Promise<Bags> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const passwords = passwordReadings(password);
    return await readBags(bytes, (algorithm, data) => decrypt(algorithm, data, passwords));
  } catch (cause) {
    throw asRefused(cause);
  }
}

const asRefused = (cause: unknown): unknown =>
  cause instanceof Malformed ? new Pkcs12Refused('unreadable', { cause }) : cause;

// Key and certificate belong together by the public key, whatever names the file gives them. Of several certificates
// the one that is valid longest: a file may hold an expired one beside the one that renewed it.
async function identityOf({ keys, certificates }: Bags): Promise<Identity> {
  const newestFirst = certificates.map(readOrRefuse).toSorted((a, b) => b.notAfterMs - a.notAfterMs);
  const imported = await Promise.all(keys.map(importAndForget));
  const usable = imported.filter((key) => key !== undefined);
  if (usable.length === 0) throw new Pkcs12Refused('unsupported');
  for (const certificate of newestFirst) {
    for (const key of usable) {
      if (await isKeyOf(key, certificate.publicKey)) return { key, certificate };
    }
  }
  throw new Pkcs12Refused('noCertificate');
}

function readOrRefuse(der: Bytes): Certificate {
  try {
    return readCertificate(der);
  } catch (cause) {
    throw asRefused(cause);
  }
}

async function importAndForget(pkcs8: Bytes): Promise<SigningKey | undefined> {
  try {
    return await importKey(pkcs8);
  } catch (cause) {
    throw new Pkcs12Refused('unreadable', { cause });
  } finally {
    pkcs8.fill(0); // the key lives on in the CryptoKey only
  }
}
