import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Bytes } from '../../der/bytes.ts';
import { childrenOf, type Element, expectTag } from '../../der/element.ts';
import { TAG } from '../../der/tags.ts';
import { readAlgorithm, readCount } from '../../der/values.ts';
import { derive, PURPOSE } from './derive.ts';
import { matchEntries, type Pkcs12 } from './entries.ts';
import { UnsupportedPkcs12 } from './errors.ts';
import type { Attempt } from './host.ts';
import { nodeHost } from './node-host.ts';
import { type CheckMac, openBags } from './open-bags.ts';
import { HMAC_DIGESTS, readPbkdf2 } from './pbes2.ts';
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

const DIGESTS: Readonly<Record<string, { name: string; bytes: number }>> = {
  '1.3.14.3.2.26': { name: 'sha1', bytes: 20 },
  '2.16.840.1.101.3.4.2.4': { name: 'sha224', bytes: 28 },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', bytes: 32 },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', bytes: 48 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', bytes: 64 },
};
const PBMAC1 = '1.2.840.113549.1.5.14';

/** Checks the MAC of a file with each reading of the password in turn. */
const checkMac: CheckMac = async (macData, content, attempt) => {
  const [digestInfo, saltElement, roundsElement] = childrenOf(macData, TAG.SEQUENCE);
  const [algorithmElement, valueElement] = childrenOf(digestInfo, TAG.SEQUENCE);
  const { oid, parameters } = readAlgorithm(algorithmElement);
  const expected = expectTag(valueElement, TAG.OCTET_STRING).content;
  const salt = expectTag(saltElement, TAG.OCTET_STRING).content;
  const rounds = roundsElement ? readCount(roundsElement) : 1;
  const { passwords } = attempt;
  const { readings, digest, deriveKey } =
    oid === PBMAC1 ? pbmac1(parameters, attempt) : pkcs12Mac(oid, { salt, rounds }, attempt);
  for (const reading of readings) {
    const key = await deriveKey(reading);
    const computed = createHmac(digest, key).update(content).digest();
    if (computed.length === expected.length && timingSafeEqual(computed, expected))
      return { wide: first(reading, passwords.wide), narrow: first(reading, passwords.narrow) };
  }
  return undefined;
};

// Each reading that does not open a part costs all its rounds.
const first = (reading: Bytes, readings: readonly Bytes[]): readonly Bytes[] =>
  readings.includes(reading) ? [reading, ...readings.filter((other) => other !== reading)] : readings;

type Mac = {
  readonly readings: readonly Bytes[];
  readonly digest: string;
  deriveKey(password: Bytes): Promise<Bytes>;
};

// RFC 7292, 5: HMAC, with a key by the derivation of PKCS#12.
function pkcs12Mac(oid: string, cost: { salt: Bytes; rounds: number }, attempt: Attempt): Mac {
  const digest = DIGESTS[oid];
  if (!digest) throw new UnsupportedPkcs12('algorithm', `its integrity rests on ${oid}.`);
  const options = { ...cost, digest: digest.name, bytes: digest.bytes, purpose: PURPOSE.mac };
  return {
    readings: attempt.passwords.wide,
    digest: digest.name,
    deriveKey: (password) => derive({ ...options, password }, attempt),
  };
}

// RFC 9579: PBKDF2 and HMAC, with everything in the algorithm's parameters.
function pbmac1(parameters: Element<Bytes> | undefined, attempt: Attempt): Mac {
  const [kdf, scheme] = childrenOf(parameters, TAG.SEQUENCE);
  const { oid } = readAlgorithm(scheme);
  const digest = HMAC_DIGESTS[oid];
  if (!digest) throw new UnsupportedPkcs12('algorithm', `its integrity rests on ${oid}.`);
  return {
    readings: attempt.passwords.narrow,
    digest,
    deriveKey: readPbkdf2(kdf, undefined, attempt),
  };
}
