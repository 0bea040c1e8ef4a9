import { CmsMalformed } from '../errors.ts';
import { chunksOf, type Source } from './input.ts';

const LINE_BYTES = 48; // 64 characters of Base64

/** Encodes a structure as PEM text, in a stream. @example await pipeline(armoured(signAttached(open, key, options)), output); */
export async function* encodePem(der: Source): AsyncGenerator<Buffer> {
  yield Buffer.from('-----BEGIN PKCS7-----\n');
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(der)) {
    held = Buffer.concat([held, chunk]);
    const whole = held.length - (held.length % LINE_BYTES);
    if (whole) yield encodeLines(held.subarray(0, whole));
    held = held.subarray(whole);
  }
  if (held.length) yield encodeLines(held);
  yield Buffer.from('-----END PKCS7-----\n');
}

const encodeLines = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('base64').replace(/.{1,64}/g, '$&\n'), 'latin1');

const BEGIN = /^\s*-----BEGIN (?:PKCS7|CMS)-----\s/;
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
    if (BEGIN.test(text)) yield* decodeLines(text.replace(BEGIN, ''), chunks);
    else {
      yield start;
      yield* chunks;
    }
  } finally {
    await chunks.return(undefined);
  }
}

// The Base64 lines end at the dash of the END line. Text after it is ignored.
async function* decodeLines(first: string, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Buffer> {
  for (let text = first; ; ) {
    const end = text.indexOf('-');
    const body = (end < 0 ? text : text.slice(0, end)).replace(/\s+/g, '');
    if (/[^A-Za-z0-9+/=]/.test(body))
      throw new CmsMalformed('The PEM text holds something else than Base64.');
    const whole = end < 0 ? body.length - (body.length % 4) : body.length;
    yield Buffer.from(body.slice(0, whole), 'base64');
    if (end >= 0) return;
    const next = await chunks.next();
    if (next.done) throw new CmsMalformed('The PEM text has no END line.');
    text = body.slice(whole) + Buffer.from(next.value).toString('latin1');
  }
}
