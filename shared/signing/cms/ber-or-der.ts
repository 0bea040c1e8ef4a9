import { berToDer } from '../../der/ber.ts';
import { DerError, type Element, readDer } from '../../der/read.ts';
import { CertificateMalformed, PublicKeyUnsupported } from '../../pki/certificate/certificate.ts';
import { CmsMalformed } from '../errors.ts';

// Denial of service: rewriting BER costs by the element. A signer with a timestamp and its certificates has about 1000.
const MAX_REWRITTEN = 5000;

/** Reads an element as DER, or as BER rewritten to DER. Throws CmsMalformed and nothing else. */
export function readElement<T>(bytes: Buffer, read: (element: Element) => T): T {
  try {
    try {
      return read(readDer(bytes));
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      return read(readDer(berToDer(bytes, MAX_REWRITTEN)));
    }
  } catch (cause) {
    if (cause instanceof DerError) throw new CmsMalformed(`The CMS structure: ${cause.message}`, { cause });
    throw cause;
  }
}

const UNREADABLE = [DerError, CertificateMalformed, PublicKeyUnsupported];

/** The reader's result, or undefined for bytes that it cannot read. @example orUndefined(() => readOid(value)) */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (UNREADABLE.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
