import type { Bytes } from '../bytes.ts';

/**
 * A password as bytes. Programs have disagreed on how letters outside ASCII become bytes, so there are several
 * readings, the standard's first. The server's own opener reads the same ones.
 */
export type PasswordReadings = {
  /** For the derivation of PKCS#12 itself: UTF-16 with a final zero. */
  readonly wide: readonly Bytes[];
  /** For PBKDF2: UTF-8. */
  readonly narrow: readonly Bytes[];
};

export function passwordReadings(text: string): PasswordReadings {
  const utf8 = new TextEncoder().encode(text);
  if (!text) return { wide: [wide(''), new Uint8Array()], narrow: [utf8] };
  if (utf8.length === text.length) return { wide: [wide(text)], narrow: [utf8] };
  return {
    // OpenSSL before 1.1 took each byte of the UTF-8 text for a letter.
    wide: [wide(text), wide(String.fromCharCode(...utf8))],
    // NSS before 3.31 gave PBKDF2 the wide form; a Latin-1 terminal gave it Latin-1.
    narrow: [utf8, wide(text), Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff)],
  };
}

function wide(text: string): Bytes {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return Uint8Array.from([...units, 0].flatMap((unit) => [unit >> 8, unit & 0xff]));
}
