// UAX #15, 13.1 (stream-safe text): no language has more marks in a row.
const MAX_MARKS = 30;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u');

/**
 * The text in a Unicode normalization form. Algorithmic complexity attack: sorting the marks of one letter takes the
 * square of their number, seconds for 80 KB. A text with a longer run of marks than people write stays as it is.
 * @example normalizeText('Jose\u0301', 'NFC') // 'Jos\u00e9'
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  TOO_MANY_MARKS.test(text) ? text : text.normalize(form);
