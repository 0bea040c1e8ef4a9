import { type Bytes, concat } from '../../der/bytes.ts';
import { childrenOf, readElement } from '../../der/element.ts';
import { TAG } from '../../der/tags.ts';
import { readAlgorithm, readOid } from '../../der/values.ts';

/** A private key that signs in this page and cannot be exported from it. */
export type SigningKey = {
  readonly algorithm: RsaHashedImportParams | (EcKeyImportParams & EcdsaParams);
  readonly key: CryptoKey;
};

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const CURVES: Readonly<Record<string, string>> = { '1.2.840.10045.3.1.7': 'P-256', '1.3.132.0.34': 'P-384' };

/** Imports a key from PKCS#8. Undefined for an unsupported type. */
export async function importKey(pkcs8: Bytes): Promise<SigningKey | undefined> {
  const [, identifier] = childrenOf(readElement(pkcs8), TAG.SEQUENCE);
  const { oid, parameters } = readAlgorithm(identifier);
  const algorithm = algorithmOf(oid, parameters?.tag === TAG.OID ? readOid(parameters) : '');
  if (!algorithm) return undefined;
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  return { algorithm, key };
}

function algorithmOf(kind: string, curve: string): SigningKey['algorithm'] | undefined {
  if (kind === RSA) return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const namedCurve = CURVES[curve];
  return kind === EC && namedCurve ? { name: 'ECDSA', namedCurve, hash: 'SHA-256' } : undefined;
}

/**
 * Signs bytes with SHA-256: PKCS#1 v1.5 with an RSA key, ECDSA in DER with an EC key. WebCrypto takes the bytes, not
 * their hash.
 * @example const signature = await sign(identity.key, toBeSigned);
 */
export async function sign({ algorithm, key }: SigningKey, data: Bytes): Promise<Bytes> {
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm, key, data));
  return algorithm.name === 'ECDSA' ? pairToDer(signature) : signature;
}

/** Whether the private key belongs to this public key. */
export async function isKeyOf({ algorithm, key }: SigningKey, publicKey: Bytes): Promise<boolean> {
  const probe = crypto.getRandomValues(new Uint8Array(32));
  try {
    const verifier = await crypto.subtle.importKey('spki', publicKey, algorithm, false, ['verify']);
    return await crypto.subtle.verify(
      algorithm,
      verifier,
      await crypto.subtle.sign(algorithm, key, probe),
      probe,
    );
  } catch {
    return false; // another key type or curve
  }
}

// WebCrypto returns the two numbers of an ECDSA signature in IEEE P1363 form; X.509 and CMS use DER.
function pairToDer(pair: Bytes): Bytes {
  const half = pair.length / 2;
  return element(TAG.SEQUENCE, concat(integer(pair.subarray(0, half)), integer(pair.subarray(half))));
}

function integer(number: Bytes): Bytes {
  const first = number.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : number.subarray(first);
  const isNegative = ((digits[0] ?? 0) & 0x80) !== 0;
  return element(TAG.INTEGER, isNegative ? concat(Uint8Array.of(0), digits) : digits);
}

// A signature of P-384, the largest curve here, has 104 bytes, so every length fits into one byte.
const element = (tag: number, content: Bytes): Bytes => concat(Uint8Array.of(tag, content.length), content);
