import type { Bytes } from '../bytes.ts';
import { childrenOf, type Element, Malformed, octetsOf, oidOf, readElement, TAG } from '../der.ts';
import { Pkcs12Refused } from './errors.ts';

const CONTENT = { data: '1.2.840.113549.1.7.1', encryptedData: '1.2.840.113549.1.7.6' } as const;
const BAG = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
} as const;
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const MAX_BAGS = 200; // a person's file has one key and some five certificates

/** What a file holds, and how many of its encrypted pieces opened. */
export type Bags = {
  /** PKCS#8, decrypted. */
  readonly keys: Bytes[];
  readonly certificates: Bytes[];
  opened: number;
  shut: number;
};

/** Decrypts one piece; undefined where the password does not open it. */
export type Decrypt = (algorithm: Element | undefined, data: Bytes) => Promise<Bytes | undefined>;

/** Everything in a file. Kinds that are neither keys nor certificates are passed over. */
export async function readBags(file: Bytes, decrypt: Decrypt): Promise<Bags> {
  const bags: Bags = { keys: [], certificates: [], opened: 0, shut: 0 };
  const open = async (algorithm: Element | undefined, data: Bytes): Promise<Element | undefined> => {
    const plain = await decrypt(algorithm, data);
    const layer = plain && readIfWhole(plain);
    if (layer) bags.opened++;
    else bags.shut++;
    return layer;
  };
  for (const part of partsOf(file)) {
    const safe = await safeOf(part, open);
    for (const bag of safe ? childrenOf(safe, TAG.SEQUENCE) : []) await readBag(bag, bags, open);
  }
  return bags;
}

function partsOf(file: Bytes): readonly Element[] {
  const [version, authSafe] = childrenOf(readElement(file), TAG.SEQUENCE);
  if (version?.tag !== TAG.INTEGER || version.content[0] !== 3)
    throw new Malformed('It is of no known version.');
  const [type, wrapped] = childrenOf(authSafe, TAG.SEQUENCE);
  // A file that is signed, and not protected by a password, is of another type.
  if (oidOf(type) !== CONTENT.data) throw new Pkcs12Refused('unsupported');
  const [content] = childrenOf(wrapped, TAG.CONTEXT_0);
  return childrenOf(readElement(octetsOf(content)), TAG.SEQUENCE);
}

type OpenLayer = (algorithm: Element | undefined, data: Bytes) => Promise<Element | undefined>;

async function safeOf(part: Element, open: OpenLayer): Promise<Element | undefined> {
  const [type, wrapped] = childrenOf(part, TAG.SEQUENCE);
  const [content] = childrenOf(wrapped, TAG.CONTEXT_0);
  const kind = oidOf(type);
  if (kind === CONTENT.data) return readElement(octetsOf(content));
  if (kind !== CONTENT.encryptedData) throw new Pkcs12Refused('unsupported');
  const [, info] = childrenOf(content, TAG.SEQUENCE);
  const [, algorithm, data] = childrenOf(info, TAG.SEQUENCE);
  return open(algorithm, octetsOf(data));
}

async function readBag(bag: Element, bags: Bags, open: OpenLayer): Promise<void> {
  if (bags.keys.length + bags.certificates.length >= MAX_BAGS) throw new Pkcs12Refused('unsupported');
  const [id, wrapped] = childrenOf(bag, TAG.SEQUENCE);
  const [value] = childrenOf(wrapped, TAG.CONTEXT_0);
  const kind = oidOf(id);
  if (kind === BAG.key && value) bags.keys.push(value.raw);
  if (kind === BAG.certificate) bags.certificates.push(...certificatesIn(value));
  if (kind !== BAG.shroudedKey) return;
  const [algorithm, data] = childrenOf(value, TAG.SEQUENCE);
  const key = await open(algorithm, octetsOf(data));
  if (key) bags.keys.push(key.raw);
}

function certificatesIn(value: Element | undefined): Bytes[] {
  const [type, wrapped] = childrenOf(value, TAG.SEQUENCE);
  if (oidOf(type) !== X509_CERTIFICATE) return [];
  return [octetsOf(childrenOf(wrapped, TAG.CONTEXT_0)[0])];
}

// One wrong key in 256 leaves padding that looks right. What it uncovers is noise, and not one whole SEQUENCE.
function readIfWhole(plain: Bytes): Element | undefined {
  try {
    const layer = readElement(plain);
    return layer.tag === TAG.SEQUENCE ? layer : undefined;
  } catch (cause) {
    if (cause instanceof Malformed) return undefined;
    throw cause;
  }
}
