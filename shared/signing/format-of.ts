import { formatOfBytes } from './format.ts';

/** How a whole file is signed. */
export type SignatureFormat = 'PAdES' | 'CAdES' | 'XAdES';

export type FormatInput = {
  readonly contentType: string;
  /** As many as LOOKED_AT_BYTES of format.ts; fewer of a smaller file. */
  readonly firstBytes: Uint8Array;
  readonly forceCades: boolean;
};

/**
 * How a file is signed: by what it is and what its sender calls it, unless CAdES is asked for.
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

// Senders that know no better call everything a stream of bytes. What they call text or HTML is not XML to them,
// even if it begins as XML does.
const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const PDF = /^application\/(x-)?pdf$/;
const XML = /^((application|text)\/xml|[\w.-]+\/[\w.-]+\+xml)$/;

// XML with a document type can do harm when it is read, and is not signed as XML.
const hasDoctype = (head: Buffer): boolean => /<!doctype/i.test(head.toString('latin1').replaceAll('\0', ''));
