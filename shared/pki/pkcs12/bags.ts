import { type Bytes, concat } from '../../der/bytes.ts';
import { childrenOf, DerError, type Element, expectTag } from '../../der/element.ts';
import { context, TAG } from '../../der/tags.ts';
import { type AlgorithmIdentifier, readAlgorithm, readOid } from '../../der/values.ts';
import { UnsupportedPkcs12 } from './errors.ts';
import { CONTENT, readContentInfo, readLayer } from './pfx.ts';

/** The contents of a file, and how many of its encrypted pieces the password opened. */
export type Bags = {
  /** PKCS#8, decrypted. */
  readonly keys: readonly Bytes[];
  readonly certificates: readonly Bytes[];
  readonly opened: number;
  readonly unopened: number;
};

/** Decrypts one piece; undefined where the password does not open it. */
export type Decrypt = (
  algorithm: AlgorithmIdentifier<Bytes>,
  data: Bytes,
) => Promise<Element<Bytes> | undefined>;

const BAG = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
} as const;
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';

// A person's file has one key and some five certificates.
const MAX_BAGS = 200;
const MAX_DEPTH = 4; // bags inside bags; nobody writes even one level

/** Reads all parts of a file. Bags that hold neither keys nor certificates are passed over. */
export async function readBags(parts: Bytes, decrypt: Decrypt): Promise<Bags> {
  const found = { keys: [] as Bytes[], certificates: [] as Bytes[], opened: 0, unopened: 0, seen: 0 };
  const open: Decrypt = async (algorithm, data) => {
    const plain = await decrypt(algorithm, data);
    if (plain) found.opened++;
    else found.unopened++;
    return plain;
  };

  const readBag = async (bag: Element<Bytes>, depth: number): Promise<void> => {
    if (++found.seen > MAX_BAGS)
      throw new UnsupportedPkcs12('size', `it holds more than ${MAX_BAGS} keys and certificates.`);
    const [id, wrapped] = childrenOf(bag, TAG.SEQUENCE);
    const [value] = childrenOf(wrapped, context(0));
    const kind = readOid(id);
    if (kind === BAG.key) found.keys.push(expectTag(value, TAG.SEQUENCE).raw);
    if (kind === BAG.certificate) found.certificates.push(...readCertificate(value));
    if (kind === BAG.nested) await readSafe(value, depth + 1);
    if (kind !== BAG.shroudedKey) return;
    const [algorithm, data] = childrenOf(value, TAG.SEQUENCE);
    const key = await open(readAlgorithm(algorithm), expectTag(data, TAG.OCTET_STRING).content);
    if (key) found.keys.push(key.raw);
  };

  const readSafe = async (safe: Element<Bytes> | undefined, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH) throw new DerError('Bags are nested too deep.');
    for (const bag of childrenOf(safe, TAG.SEQUENCE)) await readBag(bag, depth);
  };

  for (const part of childrenOf(readLayer(parts), TAG.SEQUENCE)) {
    const { type, content } = readContentInfo(part);
    if (type === CONTENT.data) await readSafe(readLayer(expectTag(content, TAG.OCTET_STRING).content), 0);
    else if (type === CONTENT.encryptedData) {
      const safe = await open(...readEncrypted(content));
      if (safe) await readSafe(safe, 0);
    } else
      throw new UnsupportedPkcs12(
        'protection',
        'a part of it is encrypted to a certificate, not to a password.',
      );
  }
  return found;
}

function readCertificate(value: Element<Bytes> | undefined): Bytes[] {
  const [type, wrapped] = childrenOf(value, TAG.SEQUENCE);
  if (readOid(type) !== X509_CERTIFICATE) return [];
  const [octets] = childrenOf(wrapped, context(0));
  return [expectTag(octets, TAG.OCTET_STRING).content];
}

function readEncrypted(content: Element<Bytes> | undefined): [AlgorithmIdentifier<Bytes>, Bytes] {
  const [, info] = childrenOf(content, TAG.SEQUENCE);
  const [, algorithm, data] = childrenOf(info, TAG.SEQUENCE);
  return [readAlgorithm(algorithm), implicitOctets(data)];
}

// `[0] IMPLICIT OCTET STRING`, which BER may write in pieces.
function implicitOctets(element: Element<Bytes> | undefined): Bytes {
  if (element?.tag === context(0, 'primitive')) return element.content;
  const pieces = childrenOf(element, context(0));
  return concat(...pieces.map((piece) => expectTag(piece, TAG.OCTET_STRING).content));
}
