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
export function formatOf({ contentType, firstBytes, forceCades }: FormatInput): SignatureFormat {
  const head = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength);
  const looksLike = formatOfBytes(head);
  if (forceCades || looksLike === 'cades') return 'CAdES';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isDeclaredAs = (kind: RegExp): boolean => GENERIC_TYPES.has(type) || kind.test(type);
  if (looksLike === 'pades') return head.indexOf('%PDF-') === 0 || isDeclaredAs(PDF) ? 'PAdES' : 'CAdES';
  return isDeclaredAs(XML) && !hasDoctype(head) ? 'XAdES' : 'CAdES';
}

// A generic type says nothing, so the bytes decide. A file declared as text or HTML is not signed as XML, even if it
// begins like XML.
const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const PDF = /^application\/(x-)?pdf$/;
const XML = /^((application|text)\/xml|[\w.-]+\/[\w.-]+\+xml)$/;

// XXE and entity expansion: XML with a document type is not parsed here, so it is signed as CAdES.
const hasDoctype = (head: Buffer): boolean => /<!doctype/i.test(head.toString('latin1').replaceAll('\0', ''));
