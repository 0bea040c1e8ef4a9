export type SignatureKind = 'pades' | 'cades' | 'xades';

/** As far as PDF readers look for the header. */
export const LOOKED_AT_BYTES = 1024;

/**
 * The format that suits what a file holds, by its first bytes alone, whatever the file is called.
 * @example formatOfBytes(head.subarray(0, LOOKED_AT_BYTES)) // 'pades'
 */
export function formatOfBytes(head: Buffer): SignatureKind {
  // A CMS structure may hold a whole PDF, whose header then stands near its beginning.
  if (isCms(head)) return 'cades';
  if (head.includes('%PDF-')) return 'pades';
  return isXml(head) ? 'xades' : 'cades';
}

const SEQUENCE = 0x30;

// A structure longer than 127 bytes says how many bytes its length takes, or that it has none: no text does.
const isCms = ([first = 0, second = 0]: Uint8Array): boolean => first === SEQUENCE && second >= 0x80;

// XML 1.0, 2.2: no control character but tab, line feed and carriage return. Binary content that happens to begin with
// "<a" has one soon.
const XML_START = /^\ufeff?\s*<[?!:_\p{L}][\t\n\r\x7f-\x9f\P{Cc}]*$/u;

const isXml = (head: Buffer): boolean =>
  [head.toString('utf8'), head.toString('utf16le'), bigEndian(head)].some((text) => XML_START.test(text));

const bigEndian = (head: Buffer): string =>
  Buffer.from(head.subarray(0, head.length & ~1))
    .swap16()
    .toString('utf16le');
