import { matchEntries, type Pkcs12 } from './entries.ts';
import { checkMac } from './mac.ts';
import { nodeHost } from './node-host.ts';
import { openBags } from './open-bags.ts';
import { asBroken } from './pfx.ts';

/**
 * The keys and certificates of a PKCS#12 file (.p12, .pfx). Throws WrongPassword, BrokenPkcs12 or UnsupportedPkcs12.
 * @example const { entries: [entry] } = await openPkcs12(bytes, '1234'); entry?.privateKey
 */
export async function openPkcs12(bytes: Uint8Array, password: string | undefined): Promise<Pkcs12> {
  const bags = await openBags(bytes, password, nodeHost, checkMac);
  try {
    return matchEntries(bags);
  } catch (cause) {
    throw asBroken(cause);
  }
}
