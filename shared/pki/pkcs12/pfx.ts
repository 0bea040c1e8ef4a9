import { berToDer } from '../../der/ber.ts';
import type { Bytes } from '../../der/bytes.ts';
import { childrenOf, DerError, type Element, expectTag, readElement } from '../../der/element.ts';
import { context, TAG } from '../../der/tags.ts';
import { readCount, readOid } from '../../der/values.ts';
import { BrokenPkcs12, UnsupportedPkcs12 } from './errors.ts';

export const CONTENT = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  encryptedData: '1.2.840.113549.1.7.6',
} as const;

/** The outermost layer: the parts, and the MAC over them. */
export type Pfx = { readonly parts: Bytes; readonly mac?: Element<Bytes> };

// Files of people and companies stay under 50 KB. The bound keeps the memory of reading small, whatever comes.
export const MAX_PKCS12_BYTES = 200_000;

/** Reads bytes that may be BER as DER, each layer when it is reached: NSS writes indefinite lengths everywhere. */
export const readLayer = (bytes: Uint8Array): Element<Bytes> => readElement(berToDer(bytes));

export function readPfx(bytes: Uint8Array): Pfx {
  if (bytes.length > MAX_PKCS12_BYTES)
    throw new UnsupportedPkcs12(
      'size',
      `its ${bytes.length} bytes are more than the ${MAX_PKCS12_BYTES} allowed.`,
    );
  const [version, authSafe, mac] = childrenOf(readLayer(bytes), TAG.SEQUENCE);
  if (readCount(version) !== 3) throw new DerError('It is of a version that does not exist.');
  const { type, content } = readContentInfo(authSafe);
  if (type === CONTENT.signedData)
    throw new UnsupportedPkcs12('protection', 'it is protected by a signature and not by a password.');
  if (type !== CONTENT.data) throw new DerError('Its content is of a kind that no PKCS#12 file has.');
  return { parts: expectTag(content, TAG.OCTET_STRING).content, ...(mac && { mac }) };
}

export function readContentInfo(element: Element<Bytes> | undefined): {
  type: string;
  content: Element<Bytes> | undefined;
} {
  const [type, wrapped] = childrenOf(element, TAG.SEQUENCE);
  const [content] = wrapped ? childrenOf(wrapped, context(0)) : [];
  return { type: readOid(type), content };
}

/** The error to throw instead: a DerError is a broken file, every other error stays. */
export const asBroken = (cause: unknown): unknown =>
  cause instanceof DerError ? new BrokenPkcs12(cause.message, { cause }) : cause;
