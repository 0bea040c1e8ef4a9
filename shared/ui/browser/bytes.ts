/** Bytes whose memory is not shared with another thread, as WebCrypto wants them. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const concat = (...parts: readonly Uint8Array[]): Bytes => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** Whether two byte strings are equal. @example areSame(await sha256(data), announced) */
export const areSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

// Bytes as a string of characters 0 to 255, in pieces: a call takes a bounded number of arguments.
const PIECE_BYTES = 8192;
export const toBinary = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  }
  return text;
};
export const fromBinary = (text: string): Bytes =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** @example toBase64(certificate.der) // 'MIIEQzCC…' */
export const toBase64 = (bytes: Uint8Array): string => btoa(toBinary(bytes));
/** Throws where the text is no base64. @example fromBase64(started.toSignData) */
export const fromBase64 = (text: string): Bytes => fromBinary(atob(text));

/** @example await sha256(data) // 32 bytes */
export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
