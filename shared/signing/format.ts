export type SignatureKind = 'pades' | 'cades' | 'xades';

/** The formats as their standards write them. */
export const FORMAT_NAMES: Readonly<Record<SignatureKind, string>> = {
  pades: 'PAdES',
  cades: 'CAdES',
  xades: 'XAdES',
};

/** PDF readers look for the header in this many bytes (PDF Reference 1.7, Appendix H). */
export const LOOKED_AT_BYTES = 1024;

/**
 * The format that suits a file, by its first bytes alone.
 * @example formatOfBytes(head.subarray(0, LOOKED_AT_BYTES)) // 'pades'
 */
export function formatOfBytes(head: Buffer): SignatureKind {
  // CMS comes first: it may hold a whole PDF, whose header is then near the beginning.
  if (isCms(head)) return 'cades';
  if (head.includes('%PDF-')) return 'pades';
  return isXml(head) ? 'xades' : 'cades';
}

const SEQUENCE = 0x30;

// DER or BER longer than 127 bytes has a second byte of 0x80 or more, which ASCII text does not have.
const isCms = ([first = 0, second = 0]: Uint8Array): boolean => first === SEQUENCE && second >= 0x80;

// XML 1.0, 2.2: no control character but tab, line feed and carriage return. Binary content that begins with "<a" soon
// has one.
const XML_START = /^\ufeff?\s*<[?!:_\p{L}][\t\n\r\x7f-\x9f\P{Cc}]*$/u;

const isXml = (head: Buffer): boolean =>
  [head.toString('utf8'), head.toString('utf16le'), bigEndian(head)].some((text) => XML_START.test(text));

const bigEndian = (head: Buffer): string =>
  Buffer.from(head.subarray(0, head.length & ~1))
    .swap16()
    .toString('utf16le');
