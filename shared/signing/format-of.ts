import { formatOfBytes } from './format.ts';

/** The signature format of a file. */
export type SignatureFormat = 'PAdES' | 'CAdES' | 'XAdES';

export type FormatInput = {
  readonly contentType: string;
  /** The first LOOKED_AT_BYTES (format.ts) bytes, or the whole of a smaller file. */
  readonly firstBytes: Uint8Array;
  readonly forceCades: boolean;
};

/**
 * Chooses the format by the file's first bytes and its declared type, unless CAdES is forced.
 * @example formatOf({ contentType: 'application/pdf', firstBytes, forceCades: false }) // 'PAdES'
 */
export const formatOf = ({ firstBytes, ...input }: FormatInput): SignatureFormat =>
  formatOfKind(contentKindOf(firstBytes), input);

/** What the first bytes of a file say: a PDF, one that begins later in the file, XML that may be parsed, or neither. */
export type ContentKind = 'pdf' | 'pdf-inside' | 'xml' | 'other';

/**
 * The kind of a file, for a format that is chosen later.
 * @example const kind = contentKindOf(bytes.subarray(0, LOOKED_AT_BYTES));
 */
export function contentKindOf(firstBytes: Uint8Array): ContentKind {
  const head = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength);
  const looksLike = formatOfBytes(head);
  if (looksLike === 'pades') return head.indexOf('%PDF-') === 0 ? 'pdf' : 'pdf-inside';
  return looksLike === 'xades' && !hasDoctype(head) ? 'xml' : 'other';
}

/** The same as formatOf, for a file whose kind is known. @example formatOfKind('pdf', { contentType, forceCades }) */
export function formatOfKind(
  kind: ContentKind,
  { contentType, forceCades }: Omit<FormatInput, 'firstBytes'>,
): SignatureFormat {
  if (forceCades || kind === 'other') return 'CAdES';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isDeclaredAs = (declared: RegExp): boolean => GENERIC_TYPES.has(type) || declared.test(type);
  if (kind === 'xml') return isDeclaredAs(XML) ? 'XAdES' : 'CAdES';
  return kind === 'pdf' || isDeclaredAs(PDF) ? 'PAdES' : 'CAdES';
}

// A generic type says nothing, so the bytes decide. A file declared as text or HTML is not signed as XML, even if it
// begins like XML.
const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const PDF = /^application\/(x-)?pdf$/;
const XML = /^((application|text)\/xml|[\w.-]+\/[\w.-]+\+xml)$/;

// XXE and entity expansion: XML with a document type is not parsed here, so it is signed as CAdES.
const hasDoctype = (head: Buffer): boolean => /<!doctype/i.test(head.toString('latin1').replaceAll('\0', ''));
