import { type Bytes, latin1Bytes, latin1Text } from '../../der/bytes.ts';

/**
 * A password as bytes. Programs have disagreed on how letters outside ASCII and the empty password become bytes,
 * so there are several readings, the standard's first. Passwords in ASCII have one.
 */
export type PasswordReadings = {
  /** For the derivation of PKCS#12 itself (RFC 7292, B.1): UTF-16 with a final zero. */
  readonly wide: readonly Bytes[];
  /** For PBKDF2: UTF-8. */
  readonly narrow: readonly Bytes[];
};

/** No password at all is read as an empty one, which programs write both ways. @example passwordReadings('pínç€') */
export function passwordReadings(password: string | undefined): PasswordReadings {
  const text = password ?? '';
  const utf8 = new TextEncoder().encode(text);
  if (!text) return { wide: [wide(''), new Uint8Array()], narrow: [utf8] };
  if (utf8.length === text.length) return { wide: [wide(text)], narrow: [utf8] };
  return {
    // OpenSSL before 1.1 took each byte of the UTF-8 text for a letter.
    wide: [wide(text), wide(latin1Text(utf8))],
    // NSS before 3.31 gave PBKDF2 the wide form; a Latin-1 terminal gave it Latin-1.
    narrow: [utf8, wide(text), latin1Bytes(text)],
  };
}

function wide(text: string): Bytes {
  const bytes = new Uint8Array(2 * text.length + 2);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    bytes[2 * at] = unit >> 8;
    bytes[2 * at + 1] = unit;
  }
  return bytes;
}
