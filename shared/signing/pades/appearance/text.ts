// What WinAnsi has where Latin-1 has control characters.
const SPECIAL = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at));

/**
 * Text in the encoding of the standard fonts, one character a byte. A letter that the encoding lacks loses its
 * accent, and becomes a question mark where that does not help. @example winAnsi('João') // 'Jo\xe3o'
 */
export const toWinAnsi = (text: string): string =>
  Array.from(text.normalize('NFC'), (letter) => encode(letter) ?? encode(withoutAccents(letter)) ?? '?').join(
    '',
  );

// A letter with accents, without them.
const withoutAccents = (letter: string): string => letter.normalize('NFKD').charAt(0);

function encode(letter: string): string | undefined {
  const code = letter.codePointAt(0) ?? 0;
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return letter;
  if (code < 0xa0) return code < 0x20 ? ' ' : undefined;
  const at = SPECIAL.indexOf(letter);
  return at < 0 ? undefined : String.fromCharCode(0x80 + at);
}
