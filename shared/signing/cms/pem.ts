import { CmsMalformed } from '../errors.ts';
import { chunksOf, type Source } from './input.ts';

const LINE_BYTES = 48; // 64 characters of Base64
const LINE_CHARACTERS = 64;
// Larger pieces leave more memory to collect at a time.
const PIECE_BYTES = 1024 * LINE_BYTES;

/** Encodes a structure as PEM text, in a stream. @example await pipeline(encodePem(signAttached(open, key, options)), output); */
export async function* encodePem(der: Source): AsyncGenerator<Buffer> {
  yield Buffer.from('-----BEGIN PKCS7-----\n');
  let held: Buffer = Buffer.alloc(0); // less than a line
  for await (const chunk of chunksOf(der)) {
    const missing = Math.min(chunk.byteLength, LINE_BYTES - held.length);
    held = Buffer.concat([held, chunk.subarray(0, missing)]);
    if (held.length < LINE_BYTES) continue;
    yield encodeLines(held);
    const end = chunk.byteLength - ((chunk.byteLength - missing) % LINE_BYTES);
    for (let at = missing; at < end; at += PIECE_BYTES)
      yield encodeLines(chunk.subarray(at, Math.min(at + PIECE_BYTES, end)));
    held = Buffer.from(chunk.subarray(end));
  }
  if (held.length) yield encodeLines(held);
  yield Buffer.from('-----END PKCS7-----\n');
}

function encodeLines(bytes: Uint8Array): Buffer {
  const { buffer, byteOffset, byteLength } = bytes;
  const text = Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString('base64'), 'latin1');
  const lines = Buffer.allocUnsafe(text.length + Math.ceil(text.length / LINE_CHARACTERS));
  for (let from = 0, to = 0; from < text.length; from += LINE_CHARACTERS) {
    to += text.copy(lines, to, from, from + LINE_CHARACTERS);
    lines[to++] = 0x0a;
  }
  return lines;
}

const BEGIN = /^\s*-----BEGIN (PKCS7|CMS)-----\s/;
const BEGIN_BYTES = 64; // enough for the first line, and for white space before it

/** Passes DER or BER on, decoded first if the source is PEM text (RFC 7468). @example verifyCades(unarmoured(file), { judge, atMs }) */
export async function* decodePem(source: Source): AsyncGenerator<Uint8Array> {
  const chunks = chunksOf(source);
  try {
    let start: Buffer = Buffer.alloc(0);
    while (start.length < BEGIN_BYTES) {
      const next = await chunks.next();
      if (next.done) break;
      start = Buffer.concat([start, next.value]);
    }
    const text = start.toString('latin1');
    const [begin, label] = BEGIN.exec(text) ?? [];
    if (begin && label) yield* decodeLines(text.slice(begin.length), label, chunks);
    else {
      yield start;
      yield* chunks;
    }
  } finally {
    await chunks.return(undefined);
  }
}

// The Base64 lines end at the dash of the END line.
async function* decodeLines(
  first: string,
  label: string,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Buffer> {
  let isPadded = false;
  for (let text = first; ; ) {
    const end = text.indexOf('-');
    const body = (end < 0 ? text : text.slice(0, end)).replace(/\s+/g, '');
    // Readers differ in what they make of Base64 behind its padding.
    if (/[^A-Za-z0-9+/=]|=[^=]/.test(body) || (isPadded && body !== ''))
      throw new CmsMalformed('The PEM text holds something else than Base64.');
    const whole = end < 0 ? body.length - (body.length % 4) : body.length;
    yield Buffer.from(body.slice(0, whole), 'base64');
    isPadded ||= body.slice(0, whole).endsWith('=');
    if (end >= 0) return await requireEnd(text.slice(end), label, chunks);
    const next = await chunks.next();
    if (next.done) throw new CmsMalformed('The PEM text has no END line.');
    text = body.slice(whole) + Buffer.from(next.value).toString('latin1');
  }
}

// Appended content: what follows is no part of the signature, as bytes behind a structure in DER are none, and another
// reader may take a second block for the signature.
async function requireEnd(first: string, label: string, chunks: AsyncGenerator<Uint8Array>): Promise<void> {
  const line = `-----END ${label}-----`;
  for (let text = first; ; ) {
    const isWhole = text.length >= line.length;
    if (isWhole ? !text.startsWith(line) || text.slice(line.length).trim() !== '' : !line.startsWith(text))
      throw new CmsMalformed(`The PEM text does not end with its line "${line}".`);
    const next = await chunks.next();
    if (next.done && isWhole) return;
    if (next.done) throw new CmsMalformed('The PEM text has no END line.');
    text = (isWhole ? line : text) + Buffer.from(next.value).toString('latin1');
  }
}
