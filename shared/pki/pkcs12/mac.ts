import { createHmac, timingSafeEqual } from 'node:crypto';
import { childrenOf, type Element, expectTag, readCount } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { type AlgorithmIdentifier, readAlgorithm } from '../certificate/certificate.ts';
import type { Budget } from './budget.ts';
import { readPbkdf2 } from './ciphers.ts';
import { derive, PURPOSE } from './derive.ts';
import { UnsupportedPkcs12 } from './errors.ts';
import type { PasswordReadings } from './password.ts';
import { PRF } from './prf.ts';

const DIGESTS: Readonly<Record<string, { name: string; bytes: number }>> = {
  '1.3.14.3.2.26': { name: 'sha1', bytes: 20 },
  '2.16.840.1.101.3.4.2.4': { name: 'sha224', bytes: 28 },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', bytes: 32 },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', bytes: 48 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', bytes: 64 },
};
const PBMAC1 = '1.2.840.113549.1.5.14';

/** The readings of the password, the one first under which the MAC of a file is right; undefined where none is. */
export async function readingsByMac(
  macData: Element,
  content: Buffer,
  passwords: PasswordReadings,
  budget: Budget,
): Promise<PasswordReadings | undefined> {
  const [digestInfo, saltElement, roundsElement] = childrenOf(macData, TAG.SEQUENCE);
  const [algorithmElement, valueElement] = childrenOf(digestInfo, TAG.SEQUENCE);
  const algorithm = readAlgorithm(algorithmElement);
  const expected = expectTag(valueElement, TAG.OCTET_STRING).content;
  const salt = expectTag(saltElement, TAG.OCTET_STRING).content;
  const rounds = roundsElement ? readCount(roundsElement) : 1;
  const { readings, mac } =
    algorithm.oid === PBMAC1
      ? pbmac1(algorithm, passwords, budget)
      : classic(algorithm, { salt, rounds }, passwords, budget);
  for (const reading of readings) {
    const seen = await mac(reading, content);
    if (seen.length === expected.length && timingSafeEqual(seen, expected))
      return { wide: first(reading, passwords.wide), narrow: first(reading, passwords.narrow) };
  }
  return undefined;
}

// Each reading that does not open a part costs all its rounds.
const first = (reading: Buffer, readings: readonly Buffer[]): readonly Buffer[] =>
  readings.includes(reading) ? [reading, ...readings.filter((other) => other !== reading)] : readings;

type Mac = {
  readonly readings: readonly Buffer[];
  mac(password: Buffer, content: Buffer): Promise<Buffer>;
};

function classic(
  { oid }: AlgorithmIdentifier,
  { salt, rounds }: { salt: Buffer; rounds: number },
  passwords: PasswordReadings,
  budget: Budget,
): Mac {
  const digest = DIGESTS[oid];
  if (!digest) throw new UnsupportedPkcs12('algorithm', `its integrity rests on ${oid}.`);
  return {
    readings: passwords.wide,
    async mac(password, content) {
      const wanted = {
        digest: digest.name,
        purpose: PURPOSE.mac,
        password,
        salt,
        rounds,
        bytes: digest.bytes,
      };
      return createHmac(digest.name, await derive(wanted, budget))
        .update(content)
        .digest();
    },
  };
}

// RFC 9579: PBKDF2 and HMAC, with everything in the algorithm's parameters.
function pbmac1({ parameters }: AlgorithmIdentifier, passwords: PasswordReadings, budget: Budget): Mac {
  const [kdf, scheme] = childrenOf(parameters, TAG.SEQUENCE);
  const { oid } = readAlgorithm(scheme);
  const digest = PRF.digests[oid];
  if (!digest) throw new UnsupportedPkcs12('algorithm', `its integrity rests on ${oid}.`);
  const stretch = readPbkdf2(kdf, undefined, budget);
  return {
    readings: passwords.narrow,
    mac: async (password, content) =>
      createHmac(digest, await stretch(password))
        .update(content)
        .digest(),
  };
}
