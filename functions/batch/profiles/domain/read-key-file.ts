import { AdminRefusal } from '../../../../shared/access/administration.ts';
import type { Pkcs12Entry } from '../../../../shared/pki/pkcs12/entries.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';

/**
 * The key and certificate of a PKCS#12 file, for `setKey`. Throws WrongPassword, BrokenPkcs12, UnsupportedPkcs12, or
 * AdminRefusal where it does not hold exactly one key.
 */
export async function readKeyFile(bytes: Uint8Array, password: string): Promise<Pkcs12Entry> {
  const [entry, ...others] = (await openPkcs12(bytes, password)).entries;
  if (!entry) throw new AdminRefusal('It holds no certificate with its private key.');
  if (others.length > 0)
    throw new AdminRefusal('It holds several certificates with keys. Export the one to sign with.');
  return entry;
}
