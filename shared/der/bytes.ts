/** Bytes whose memory is not shared with another thread, as WebCrypto takes them. A Buffer of Node is one too. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** @example concat(salt, password) */
export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// A call takes a bounded number of arguments.
const PIECE_BYTES = 8192;

/** Latin-1: each byte is one character, 0 to 255. A TextDecoder's "latin1" is windows-1252, another encoding. */
export function latin1Text(bytes: Uint8Array): string {
  if (bytes.length <= PIECE_BYTES) return charactersOf(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    text += charactersOf(bytes.subarray(at, at + PIECE_BYTES));
  return text;
}

// Names are read by the thousand, and spreading the bytes takes ten times as long. Any list of numbers will do.
const charactersOf = (bytes: Uint8Array): string =>
  String.fromCharCode.apply(null, bytes as unknown as number[]);

/** The low byte of each character. @example latin1Bytes('pínç') // 4 bytes */
export function latin1Bytes(text: string): Bytes {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
