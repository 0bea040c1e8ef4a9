import { berToDer } from '../../der/ber.ts';
import { DerError, type Element, eachChild, expectTag, readDer } from '../../der/read.ts';
import { CertificateMalformed, PublicKeyUnsupported } from '../../pki/certificate.ts';
import { CmsMalformed } from '../errors.ts';

// Rewriting BER costs by the element. A signer with a timestamp and its certificates has about a thousand.
const MOST_REWRITTEN = 5000;

// No part of a CMS structure that is read element by element has more: attributes, their values, recipients.
const MOST_PARTS = 1000;

/** The children of an element that must have this tag, of which a hostile file may make too many to hold. */
export function partsOf(element: Element | undefined, tag: number): Element[] {
  const parts: Element[] = [];
  for (const part of eachChild(expectTag(element, tag)))
    if (parts.push(part) > MOST_PARTS) throw new DerError(`A part has more than ${MOST_PARTS} elements.`);
  return parts;
}

/** Reads an element as it stands and, when it is not DER, rewritten as DER. Throws CmsMalformed and nothing else. */
export function readElement<T>(bytes: Buffer, read: (element: Element) => T): T {
  try {
    try {
      return read(readDer(bytes));
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      return read(readDer(berToDer(bytes, MOST_REWRITTEN)));
    }
  } catch (cause) {
    if (cause instanceof DerError) throw new CmsMalformed(`The CMS structure: ${cause.message}`, { cause });
    throw cause;
  }
}

const UNREADABLE = [DerError, CertificateMalformed, PublicKeyUnsupported];

/** What a reader finds, or undefined where the bytes are not what it reads. @example orUndefined(() => readOid(value)) */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (UNREADABLE.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
