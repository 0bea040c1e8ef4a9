import { normalizeText } from '../text/normalize.ts';
import { trimEnd } from '../text/trim-end.ts';

// The longest name of common file systems.
const MAX_NAME_BYTES = 255;

// Control characters, bidirectional overrides (U+202E attack: "fdp.exe" is shown as "exe.pdf"), invisible separators
// and tags, and code points that XML does not allow. Joiners stay: emoji and several scripts need them.
const INVISIBLE =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028\u2029\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF\u{E0000}-\u{E007F}]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/**
 * Whether a name contains an invisible character, or one that changes the order of the others.
 * @example hasInvisibleCharacters('contrato\u202Efdp.exe') // true
 */
export const hasInvisibleCharacters = (name: string): boolean => INVISIBLE.test(name);

/**
 * The text without them, for a place where it must not change what stands beside it.
 * @example removeInvisibleCharacters('Ana\u202E') // 'Ana'
 */
export const removeInvisibleCharacters = (text: string): string =>
  text.toWellFormed().replace(ALL_INVISIBLE, '');

const REFUSED_BY_WINDOWS = /[<>:"|?*]/g;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\s*(?:\.|$))/i;
// "contract.pdf.p7s" keeps both.
const EXTENSION = /(?:\.[\p{L}\p{N}]{1,10}){1,2}$/u;

type SafeNameOptions = {
  /** What a name that is cut carries before its extension, made of the whole name. Nothing, if left out. */
  readonly markCut?: (whole: string) => string;
};

/**
 * A safe file name for every system: no folders, no reserved names, never empty. Unicode stays.
 * @example safeFileName('../../Procuração 12/2026.pdf') // 'Procuração 12_2026.pdf'
 */
export function safeFileName(name: string, { markCut = () => '' }: SafeNameOptions = {}): string {
  const seen = normalizeText(removeInvisibleCharacters(name), 'NFC').replace(REFUSED_BY_WINDOWS, '_');
  const flat = seen
    .split(/[/\\]+/)
    .filter((part) => !/^[.\s]*$/.test(part))
    .join('_');
  // Shortening can produce a device name, hence the second check.
  return escapeDeviceName(shorten(escapeDeviceName(trimDots(flat)), markCut)) || 'file';
}

const escapeDeviceName = (name: string): string => (DEVICE.test(name) ? `_${name}` : name);

// A leading dot hides a file. Windows drops trailing dots and spaces, so "a.pdf." would become another name.
const trimDots = (name: string): string => trimEnd(name.replace(/^[.\s]+/, ''), /[.\s]/);

function shorten(name: string, markCut: (whole: string) => string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const end = `${markCut(name)}${extension}`;
  const room = MAX_NAME_BYTES - Buffer.byteLength(end);
  const stem = trimDots(takeBytes(name.slice(0, name.length - extension.length), room));
  return trimDots(stem + end);
}

/** The longest beginning of a text in whole graphemes that fits into the bytes. */
function takeBytes(text: string, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    kept += segment;
  }
  return kept;
}

/**
 * The Content-Disposition header (RFC 6266): an ASCII name for old clients, then the real name.
 * @example contentDisposition('procuração.pdf', 'attachment')
 *          // attachment; filename="procuracao.pdf"; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf
 */
export function contentDisposition(name: string, type: 'attachment' | 'inline'): string {
  const safe = safeFileName(name);
  const ascii = normalizeText(safe, 'NFD')
    .replace(/([A-Za-z])\p{M}+/gu, '$1')
    // Percent and backslash are printable, but some clients decode them.
    .replace(/[^\x20-\x7e]|[%\\"]/gu, '_');
  // RFC 5987 allows fewer characters than encodeURIComponent leaves unencoded.
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${ascii}"${ascii === safe ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/**
 * The file name in a Content-Disposition header (RFC 6266): the encoded one wins. It is not safe yet.
 * @example fileNameIn('attachment; filename="contract.pdf"') // 'contract.pdf'
 */
export function fileNameIn(header: string | null | undefined): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '') ?? [];
  const [, plain] = /filename="([^"]*)"/i.exec(header ?? '') ?? [];
  try {
    return encoded === undefined ? plain : decodeURIComponent(encoded);
  } catch {
    return plain;
  }
}
