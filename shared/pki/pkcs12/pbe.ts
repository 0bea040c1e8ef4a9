import { type Bytes, concat } from '../../der/bytes.ts';
import { childrenOf, expectTag } from '../../der/element.ts';
import { TAG } from '../../der/tags.ts';
import { type AlgorithmIdentifier, readCount } from '../../der/values.ts';
import { derive, PURPOSE } from './derive.ts';
import { UnsupportedPkcs12 } from './errors.ts';
import type { Attempt, Cipher, Scheme } from './host.ts';

type OldCipher = { readonly name: Cipher; readonly keyBytes: number; readonly isTwoKeys?: true };

const CIPHERS: Readonly<Record<string, OldCipher>> = {
  '1.2.840.113549.1.12.1.3': { name: 'des-ede3-cbc', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des-ede3-cbc', keyBytes: 16, isTwoKeys: true },
  '1.2.840.113549.1.12.1.5': { name: 'rc2-cbc', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2-cbc', keyBytes: 5 },
};
const IV_BYTES = 8;

/** The schemes of PKCS#12 itself (RFC 7292, appendix C), which most files of Brazilian authorities still have. */
export function pkcs12Pbe({ oid, parameters }: AlgorithmIdentifier<Bytes>, attempt: Attempt): Scheme {
  const cipher = CIPHERS[oid];
  if (!cipher) throw new UnsupportedPkcs12('algorithm', `it is encrypted with ${oid}.`);
  const [saltElement, roundsElement] = childrenOf(parameters, TAG.SEQUENCE);
  const salt = expectTag(saltElement, TAG.OCTET_STRING).content;
  const rounds = readCount(roundsElement);
  return {
    readings: attempt.passwords.wide,
    async decrypt(password, data) {
      const common = { digest: 'sha1', password, salt, rounds };
      const key = await derive({ ...common, purpose: PURPOSE.key, bytes: cipher.keyBytes }, attempt);
      const iv = await derive({ ...common, purpose: PURPOSE.iv, bytes: IV_BYTES }, attempt);
      // Triple DES with two keys is the one with three whose third is the first again.
      const whole = cipher.isTwoKeys ? concat(key, key.subarray(0, 8)) : key;
      return attempt.host.decrypt(cipher.name, whole, iv, data);
    },
  };
}
