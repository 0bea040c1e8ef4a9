import { berToDer } from '../../der/ber.ts';
import {
  childrenOf,
  DerError,
  type Element,
  expectTag,
  readCount,
  readDer,
  readOid,
} from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { BrokenPkcs12, UnsupportedPkcs12 } from './errors.ts';

export const CONTENT = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  encryptedData: '1.2.840.113549.1.7.6',
} as const;

/** The outermost layer: the parts, and the MAC over them. */
export type Pfx = { readonly parts: Buffer; readonly mac?: Element };

// Files of people and companies stay under 50 KB. The bound keeps what reading allocates small, whatever comes.
const MAX_PKCS12_BYTES = 200_000;

/** Reads bytes that may be BER as DER, each layer when it is reached: NSS writes indefinite lengths everywhere. */
export const readLayer = (bytes: Buffer): Element => readDer(berToDer(bytes));

export function readPfx(bytes: Uint8Array): Pfx {
  if (bytes.length > MAX_PKCS12_BYTES)
    throw new UnsupportedPkcs12(
      'size',
      `its ${bytes.length} bytes are more than the ${MAX_PKCS12_BYTES} allowed.`,
    );
  return orBroken(() => {
    const [version, authSafe, mac] = childrenOf(readLayer(Buffer.from(bytes)), TAG.SEQUENCE);
    if (readCount(version) !== 3) throw new DerError('It is of a version that does not exist.');
    const { type, content } = readContentInfo(authSafe);
    if (type === CONTENT.signedData)
      throw new UnsupportedPkcs12('protection', 'it is protected by a signature and not by a password.');
    if (type !== CONTENT.data) throw new DerError('Its content is of a kind that no PKCS#12 file has.');
    return { parts: expectTag(content, TAG.OCTET_STRING).content, ...(mac && { mac }) };
  });
}

export function readContentInfo(element: Element | undefined): {
  type: string;
  content: Element | undefined;
} {
  const [type, wrapped] = childrenOf(element, TAG.SEQUENCE);
  const [content] = wrapped ? childrenOf(wrapped, context(0)) : [];
  return { type: readOid(type), content };
}

/** Runs a reader; where the bytes deceive it, the file is broken. */
export function orBroken<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw asBroken(cause);
  }
}

/** The error to tell instead: what DER could not read is a broken file, everything else stays. */
export const asBroken = (cause: unknown): unknown =>
  cause instanceof DerError ? new BrokenPkcs12(cause.message, { cause }) : cause;
