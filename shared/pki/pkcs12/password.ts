/**
 * A password as bytes. Programs have disagreed on how letters outside ASCII and the empty password become bytes,
 * so there are several readings, the standard's first. Passwords in ASCII have one.
 */
export type PasswordReadings = {
  /** For the derivation of PKCS#12 itself (RFC 7292, B.1): UTF-16 with a final zero. */
  readonly wide: readonly Buffer[];
  /** For PBKDF2: UTF-8. */
  readonly narrow: readonly Buffer[];
};

/** No password at all is read as an empty one, which programs write both ways. @example passwordReadings('pínç€') */
export function passwordReadings(password: string | undefined): PasswordReadings {
  const text = password ?? '';
  const utf8 = Buffer.from(text, 'utf8');
  if (!text) return { wide: [wide(''), Buffer.alloc(0)], narrow: [utf8] };
  if (utf8.length === text.length) return { wide: [wide(text)], narrow: [utf8] };
  return {
    // OpenSSL before 1.1 took each byte of the UTF-8 text for a letter.
    wide: [wide(text), wide(utf8.toString('latin1'))],
    // NSS before 3.31 gave PBKDF2 the wide form; a Latin-1 terminal gave it Latin-1.
    narrow: [utf8, wide(text), Buffer.from(text, 'latin1')],
  };
}

const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le').swap16();
