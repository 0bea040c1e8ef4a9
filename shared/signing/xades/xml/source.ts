import { XmlRefused } from '../errors.ts';

// In each of these encodings a byte, or a pair of bytes, that looks like markup is markup. So a signature can be inserted
// into the original bytes. Multi-byte encodings such as Shift_JIS do not guarantee this.
export type Encoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'ISO-8859-1' | 'WINDOWS-1252' | 'US-ASCII';

/** A document's bytes, and its code units of `unitBytes` bytes, in which markup is found. */
export type Source = {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly unitBytes: 1 | 2;
  readonly units: Uint8Array | Uint16Array;
  /** The index in `units` after a byte order mark. */
  readonly start: number;
};

const DECLARED: Readonly<Record<string, Encoding>> = {
  'UTF-8': 'UTF-8',
  UTF8: 'UTF-8',
  'ISO-8859-1': 'ISO-8859-1',
  ISO8859_1: 'ISO-8859-1',
  'LATIN-1': 'ISO-8859-1',
  LATIN1: 'ISO-8859-1',
  'WINDOWS-1252': 'WINDOWS-1252',
  CP1252: 'WINDOWS-1252',
  'US-ASCII': 'US-ASCII',
  ASCII: 'US-ASCII',
};

const BYTE_ORDER_MARK = 0xfeff;
const HEAD_BYTES = 2000; // a declaration is far shorter

const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])([^"'<>]{1,16})\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])([A-Za-z0-9._-]{1,40})\3)?[^<>]{0,100}?\?>/;

/**
 * Decides the encoding of the bytes. Parser differential: the parser is given the same encoding and decides nothing.
 * @example const source = readSource(bytes);
 */
export function readSource(input: Uint8Array): Source {
  const bytes = Buffer.isBuffer(input)
    ? input
    : Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const wide = wideEncoding(bytes);
  return wide ? wideSource(bytes, wide) : narrowSource(bytes);
}

// By byte order mark, or by the first two characters of a declaration: `<?`.
function wideEncoding(bytes: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const first = bytes.subarray(0, 4).toString('hex');
  if (first === 'fffe0000' || first === '0000feff' || first === '3c000000' || first === '0000003c')
    throw new XmlRefused('encoding', 'The document is in UTF-32, which is not read here: save it as UTF-8.');
  if (first.startsWith('fffe') || first === '3c003f00') return 'UTF-16LE';
  if (first.startsWith('feff') || first === '003c003f') return 'UTF-16BE';
  return undefined;
}

function wideSource(bytes: Buffer, encoding: 'UTF-16LE' | 'UTF-16BE'): Source {
  if (bytes.length % 2) throw new XmlRefused('malformed', 'The document ends in half a UTF-16 character.');
  const units = new Uint16Array(bytes.length / 2);
  const copy = Buffer.from(units.buffer);
  bytes.copy(copy);
  if (encoding === 'UTF-16BE') copy.swap16();
  const start = units[0] === BYTE_ORDER_MARK ? 1 : 0;
  const declared = declaration(copy.toString('utf16le', start * 2, HEAD_BYTES))?.toUpperCase();
  if (declared !== undefined && declared !== 'UTF-16' && declared !== encoding) mismatch(declared, encoding);
  return { bytes, encoding, unitBytes: 2, units, start };
}

function narrowSource(bytes: Buffer): Source {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const start = isMarked ? 3 : 0;
  const declared = declaration(bytes.toString('latin1', start, HEAD_BYTES))?.toUpperCase();
  const encoding = declared === undefined ? 'UTF-8' : DECLARED[declared];
  if (!encoding)
    throw new XmlRefused(
      'encoding',
      `The document declares the encoding ${declared}, or is not in it. Save it as UTF-8, UTF-16, ISO-8859-1 or windows-1252.`,
    );
  if (isMarked && encoding !== 'UTF-8') mismatch(encoding, 'UTF-8');
  return { bytes, encoding, unitBytes: 1, units: bytes, start };
}

function mismatch(declared: string, found: Encoding): never {
  throw new XmlRefused(
    'encoding',
    `The document declares the encoding ${declared} but its first bytes are those of ${found}. Correct the declaration.`,
  );
}

function declaration(head: string): string | undefined {
  if (!/^<\?xml[ \t\r\n]/.test(head)) return undefined;
  const parts = DECLARATION.exec(head);
  if (!parts) throw new XmlRefused('malformed', 'The XML declaration cannot be read.');
  // Canonical XML is defined for XML 1.0 alone; XML 1.1 has other line ends.
  if (parts[2] !== '1.0')
    throw new XmlRefused('version', `The document is in XML ${parts[2]}: only XML 1.0 is signed.`);
  return parts[4];
}

const NODE_ENCODING = { 1: 'latin1', 2: 'utf16le' } as const;

/** Units as text, which `inEncodingOf` turns back into the same bytes. */
export function textAt({ units, unitBytes }: Source, from: number, to: number): string {
  const part = units.slice(from, to);
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString(NODE_ENCODING[unitBytes]);
}

/** ASCII text in this document's encoding. @example inEncodingOf(source, '<ds:Signature/>') */
export function inEncodingOf({ encoding, unitBytes }: Source, ascii: string): Buffer {
  const bytes = Buffer.from(ascii, NODE_ENCODING[unitBytes]);
  return encoding === 'UTF-16BE' ? bytes.swap16() : bytes;
}
