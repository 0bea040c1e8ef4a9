import type { Bytes } from '../../der/bytes.ts';
import { DerError, type Element } from '../../der/element.ts';
import { TAG } from '../../der/tags.ts';
import type { AlgorithmIdentifier } from '../../der/values.ts';
import { type Bags, readBags } from './bags.ts';
import { MAX_ROUNDS_WITHOUT_MAC, newBudget } from './budget.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from './errors.ts';
import type { Attempt, Pkcs12Host, Scheme } from './host.ts';
import { type PasswordReadings, passwordReadings } from './password.ts';
import { pbes2 } from './pbes2.ts';
import { asBroken, readLayer, readPfx } from './pfx.ts';

/** The readings of the password, the right one first; undefined where the MAC is right under none. */
export type CheckMac = (
  mac: Element<Bytes>,
  content: Bytes,
  attempt: Attempt,
) => Promise<PasswordReadings | undefined>;

/**
 * The keys and certificates of a PKCS#12 file (.p12, .pfx), decrypted and not yet matched. Throws WrongPassword,
 * BrokenPkcs12 or UnsupportedPkcs12. A host that checks no MAC still sees a wrong password, by the padding; a key that
 * somebody exchanged shows only when it is held against its certificate.
 * @example const { keys, certificates } = await openBags(bytes, '1234', webHost);
 */
export async function openBags(
  bytes: Uint8Array,
  password: string | undefined,
  host: Pkcs12Host,
  checkMac?: CheckMac,
): Promise<Bags> {
  try {
    const { parts, mac } = readPfx(bytes);
    const attempt: Attempt = { passwords: passwordReadings(password), budget: newBudget(), host };
    if (!mac || !checkMac) return judge(undefined, await decryptAll(parts, attempt));
    const passwords = await checkMac(mac, parts, attempt);
    if (passwords) return judge('right', await decryptAll(parts, { ...attempt, passwords }));
    const limited = { ...attempt, budget: newBudget(MAX_ROUNDS_WITHOUT_MAC) };
    return judge('wrong', await decryptAll(parts, limited).catch(asWrongPassword));
  } catch (cause) {
    throw asBroken(cause);
  }
}

// Where the MAC is wrong, a part that costs too much to try cannot tell a damaged file from a wrong password.
function asWrongPassword(cause: unknown): never {
  const isSpent = cause instanceof UnsupportedPkcs12 && cause.reason === 'iterations';
  throw isSpent ? new WrongPassword() : cause;
}

// A wrong password opens nothing. Where one part opens and another does not, the password is right and the file is damaged.
function judge(mac: 'right' | 'wrong' | undefined, bags: Bags): Bags {
  const { opened, unopened } = bags;
  if (mac === 'wrong' && opened === 0) throw new WrongPassword();
  if (mac === 'wrong') throw new BrokenPkcs12('the password is right, but its content was changed.');
  if (unopened === 0) return bags;
  if (mac === undefined && opened === 0) throw new WrongPassword();
  throw new BrokenPkcs12('the password is right, but a part of it does not decrypt.');
}

const decryptAll = (parts: Bytes, attempt: Attempt): Promise<Bags> =>
  readBags(parts, async (algorithm, data) => {
    const { readings, decrypt } = await schemeFor(algorithm, attempt);
    for (const reading of readings) {
      const plain = await decrypt(reading, data);
      const layer = plain && readIfWhole(plain);
      if (layer) return layer;
    }
    return undefined;
  });

const PBES2 = '1.2.840.113549.1.5.13';

// In a page the old schemes are a chunk of their own.
const schemeFor = async (algorithm: AlgorithmIdentifier<Bytes>, attempt: Attempt): Promise<Scheme> =>
  algorithm.oid === PBES2
    ? pbes2(algorithm.parameters, attempt)
    : (await import('./pbe.ts')).pkcs12Pbe(algorithm, attempt);

// One wrong key in 256 leaves padding that looks right. It uncovers noise, and not one whole SEQUENCE.
function readIfWhole(plain: Bytes): Element<Bytes> | undefined {
  try {
    const layer = readLayer(plain);
    return layer.tag === TAG.SEQUENCE ? layer : undefined;
  } catch (cause) {
    if (cause instanceof DerError) return undefined;
    throw cause;
  } finally {
    plain.fill(0);
  }
}
