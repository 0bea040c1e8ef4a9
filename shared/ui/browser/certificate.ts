import type { Bytes } from '../../der/bytes.ts';
import { childrenOf, DerError, type Element, expectTag, readElement } from '../../der/element.ts';
import { context, TAG } from '../../der/tags.ts';
import { readText, readTime } from '../../der/text-and-time.ts';
import { readOid } from '../../der/values.ts';

/** The fields of a certificate that a page needs. The server judges whether it may sign. */
export type Certificate = {
  readonly der: Bytes;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Bytes;
  /** The subject's common name. The whole name is longer than a line. */
  readonly commonName: string | undefined;
  /** The end of its validity. Of two certificates for one key the later one is the renewal. */
  readonly notAfterMs: number;
};

const COMMON_NAME = '2.5.4.3';

/** Throws DerError if the bytes are not a certificate. */
export function readCertificate(der: Bytes): Certificate {
  const [tbs] = childrenOf(readElement(der), TAG.SEQUENCE);
  const fields = childrenOf(tbs, TAG.SEQUENCE);
  // The version comes first; version 1 omits it.
  const [, , , validity, subject, publicKey] = fields[0]?.tag === context(0) ? fields.slice(1) : fields;
  const [, notAfter] = childrenOf(validity, TAG.SEQUENCE);
  const attributes = childrenOf(subject, TAG.SEQUENCE)
    .flatMap((set) => childrenOf(set, TAG.SET))
    .map((attribute) => childrenOf(attribute, TAG.SEQUENCE));
  const [, commonName] = attributes.find(([type]) => readOid(type) === COMMON_NAME) ?? [];
  return {
    der,
    publicKey: expectTag(publicKey, TAG.SEQUENCE).raw,
    notAfterMs: readTime(notAfter),
    commonName: commonName && textOf(commonName),
  };
}

// An unreadable name is not a reason to refuse a certificate.
function textOf(element: Element): string | undefined {
  try {
    return readText(element);
  } catch (cause) {
    if (cause instanceof DerError) return undefined;
    throw cause;
  }
}
