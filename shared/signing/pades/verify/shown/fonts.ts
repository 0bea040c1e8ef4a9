import { chargeList, chargeTime } from '../../../../bounds/budget.ts';
import type { Matrix } from '../../appearance/display.ts';
import { widthOf } from '../../appearance/text.ts';
import { MEMBER_BYTES, MEMBER_UNITS, VALUE_UNITS } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import {
  countOf,
  isArray,
  isStream,
  nameOf,
  numberOf,
  type PdfDict,
  type PdfStream,
  type PdfValue,
} from '../../pdf/values.ts';
import { contentOf } from './content.ts';
import { matrixOf } from './matrix.ts';

/** A code of a string that is shown: what it reads as, and how far it moves on. */
export type Letter = {
  readonly code: number;
  /** Empty where no table says what the glyph is. */
  readonly text: string;
  /** Of the font size. */
  readonly width: number;
};

export type Font = {
  readonly lettersOf: (bytes: Buffer) => Letter[];
  /**
   * 'plain': one of the fonts that every reader has. 'embedded': its glyphs are in the file, and can look like anything.
   * 'drawn': its glyphs are content themselves (Type 3).
   */
  readonly kind: 'plain' | 'embedded' | 'drawn';
  /** The glyphs of a font whose glyphs are content. */
  readonly glyphs?: Glyphs | undefined;
};

type Glyphs = {
  readonly matrix: Matrix;
  readonly resources: PdfDict | undefined;
  readonly streamOf: (code: number) => PdfStream | undefined;
};

/** A font as a page or a look names it (ISO 32000-2, 9.5 to 9.7). @example fontOf(pdf, fonts.get('Helv')) */
export function fontOf(pdf: Pdf, value: PdfValue | undefined): Font {
  const dict = dictOf(pdf, value) ?? new Map();
  const subtype = nameOf(resolve(pdf, dict.get('Subtype')));
  return subtype === 'Type0' ? compositeFont(pdf, dict) : simpleFont(pdf, dict, subtype === 'Type3');
}

const UNKNOWN_WIDTH = 0.5;

function compositeFont(pdf: Pdf, dict: PdfDict): Font {
  const texts = toUnicode(pdf, dict);
  const descendant = dictOf(pdf, arrayOf(pdf, dict.get('DescendantFonts'))[0]) ?? new Map();
  const usual = numberOf(resolve(pdf, descendant.get('DW'))) ?? 1000;
  const widthOfCode = compositeWidths(pdf, descendant.get('W'));
  return {
    kind: 'embedded',
    lettersOf: (bytes) =>
      Array.from({ length: bytes.length >> 1 }, (_, at) => {
        const code = bytes.readUInt16BE(2 * at);
        return { code, text: texts?.get(code) ?? '', width: (widthOfCode(code) ?? usual) / 1000 };
      }),
  };
}

type WidthRun = { readonly first: number; readonly last: number; readonly widths: PdfValue };

// Either `code [width width …]` or `first last width` (ISO 32000-2, 9.7.4.3).
function compositeWidths(pdf: Pdf, value: PdfValue | undefined): (code: number) => number | undefined {
  const runs: WidthRun[] = [];
  const items = arrayOf(pdf, value);
  for (let at = 0; at < items.length; ) {
    const first = countOf(resolve(pdf, items[at])) ?? 0;
    const second = resolve(pdf, items[at + 1]);
    const isList = isArray(second);
    const last = isList ? first + second.length - 1 : (countOf(second) ?? 0);
    chargeList(pdf.budget, MEMBER_BYTES);
    runs.push({ first, last, widths: isList ? second : (items[at + 2] ?? null) });
    at += isList ? 2 : 3;
  }
  return (code) => {
    chargeTime(pdf.budget, MEMBER_UNITS * runs.length);
    const run = runs.find(({ first, last }) => first <= code && code <= last);
    return numberOf(resolve(pdf, isArray(run?.widths) ? run.widths[code - run.first] : run?.widths));
  };
}

function simpleFont(pdf: Pdf, dict: PdfDict, isDrawn: boolean): Font {
  const first = countOf(resolve(pdf, dict.get('FirstChar'))) ?? 0;
  const widths = arrayOf(pdf, dict.get('Widths')).map((width) => numberOf(resolve(pdf, width)));
  const matrix = arrayOf(pdf, dict.get('FontMatrix')).map((item) => numberOf(resolve(pdf, item)));
  const scale = isDrawn ? (matrix[0] ?? 0.001) : 0.001;
  const base = nameOf(resolve(pdf, dict.get('BaseFont'))) ?? '';
  const descriptor = dictOf(pdf, dict.get('FontDescriptor'));
  const isEmbedded = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.has(key));
  const textOf = lettersBy(pdf, dict, isEmbedded || isDrawn, SYMBOLS.test(base));
  return {
    kind: isDrawn ? 'drawn' : isEmbedded ? 'embedded' : 'plain',
    glyphs: isDrawn ? glyphsOf(pdf, dict) : undefined,
    lettersOf: (bytes) =>
      Array.from(bytes, (code) => {
        const width = widths[code - first];
        const known = width === undefined ? widthOf(String.fromCharCode(code), 1) : width * scale;
        const usual = base.includes('Courier') ? 0.6 : known || UNKNOWN_WIDTH;
        return { code, text: textOf(code), width: width === undefined ? usual : known };
      }),
  };
}

function glyphsOf(pdf: Pdf, dict: PdfDict): Glyphs {
  const names = glyphNames(pdf, dict);
  return {
    matrix: matrixOf(pdf, dict.get('FontMatrix')),
    resources: dictOf(pdf, dict.get('Resources')),
    streamOf: (code) => {
      const stream = resolve(pdf, dictOf(pdf, dict.get('CharProcs'))?.get(names.get(code) ?? ''));
      return isStream(stream) ? stream : undefined;
    },
  };
}

// By the table of differences (ISO 32000-2, 9.6.5.1).
function glyphNames(pdf: Pdf, dict: PdfDict): Map<number, string> {
  const names = new Map<number, string>();
  let next = 0;
  for (const item of arrayOf(pdf, dictOf(pdf, dict.get('Encoding'))?.get('Differences'))) {
    const glyph = nameOf(resolve(pdf, item));
    if (glyph === undefined) next = countOf(resolve(pdf, item)) ?? 0;
    else names.set(next++, glyph);
  }
  return names;
}

const SYMBOLS = /Symbol|Dingbats/i;
const WIN_ANSI = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, code) => code));

function lettersBy(
  pdf: Pdf,
  dict: PdfDict,
  hasOwnGlyphs: boolean,
  isSymbolic: boolean,
): (code: number) => string {
  const encoding = resolve(pdf, dict.get('Encoding'));
  const differences = new Map<number, string>();
  for (const [code, glyph] of glyphNames(pdf, dict)) differences.set(code, letterOfGlyph(glyph));
  // Glyphs of the file's own stand where its table says; only it can tell what they are.
  const own = hasOwnGlyphs && encoding === null ? toUnicode(pdf, dict) : undefined;
  if (isSymbolic || (hasOwnGlyphs && encoding === null && !own)) return () => '';
  return (code) => differences.get(code) ?? (own ? (own.get(code) ?? '') : (WIN_ANSI[code] ?? ''));
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ zero: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8' },
  ...{ nine: '9', space: ' ', nbspace: ' ', period: '.', comma: ',', hyphen: '-', minus: '-', colon: ':' },
  ...{ slash: '/', underscore: '_', dollar: '$', percent: '%', parenleft: '(', parenright: ')', at: '@' },
  ...{ quotesingle: "'", grave: '`', bullet: '•', Euro: '€', ordfeminine: 'ª', ordmasculine: 'º' },
};
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', grave: '\u0300', circumflex: '\u0302', tilde: '\u0303', dieresis: '\u0308' },
  ...{ cedilla: '\u0327', ring: '\u030a', caron: '\u030c' },
};

function letterOfGlyph(glyph: string): string {
  const known = NAMED[glyph] ?? (glyph.length === 1 ? glyph : undefined);
  const [, letter = '', accent = ''] = /^([A-Za-z])([a-z]+)$/.exec(glyph) ?? [];
  return known ?? (ACCENTS[accent] === undefined ? '' : (letter + ACCENTS[accent]).normalize('NFC'));
}

// Of a character map (ISO 32000-2, 9.10.3), the two forms that programs write.
function toUnicode(pdf: Pdf, dict: PdfDict): Map<number, string> | undefined {
  const stream = resolve(pdf, dict.get('ToUnicode'));
  const content = isStream(stream) ? contentOf(pdf, stream)?.toString('latin1') : undefined;
  if (content === undefined) return undefined;
  chargeTime(pdf.budget, VALUE_UNITS * (content.length / 8));
  const texts = new Map<number, string>();
  for (const [, part = ''] of content.matchAll(/beginbfchar(.*?)endbfchar/gs))
    for (const [, code = '', text = ''] of part.matchAll(/<([0-9a-f]+)>\s*<([0-9a-f\s]*)>/gi))
      put(Number.parseInt(code, 16), utf16(text));
  for (const [, part = ''] of content.matchAll(/beginbfrange(.*?)endbfrange/gs))
    for (const [, from = '', to = '', text, list] of part.matchAll(RANGE))
      putRange(Number.parseInt(from, 16), Number.parseInt(to, 16), text, list);
  return texts;

  function putRange(from: number, to: number, text: string | undefined, list: string | undefined): void {
    const texted = list?.match(/[0-9a-f]+/gi) ?? [];
    for (let code = from; code <= to; code++) {
      const start = text === undefined ? '' : utf16(text);
      const moved = String.fromCodePoint((start.codePointAt(0) ?? 0) + code - from);
      put(code, text === undefined ? utf16(texted[code - from] ?? '') : moved);
    }
  }

  function put(code: number, text: string): void {
    chargeList(pdf.budget, MEMBER_BYTES + text.length);
    texts.set(code, text);
  }
}

const RANGE = /<([0-9a-f]{1,4})>\s*<([0-9a-f]{1,4})>\s*(?:<([0-9a-f]{1,4})>|\[([^\]]*)\])/gi;

function utf16(hex: string): string {
  const digits = hex.replace(/\s/g, '');
  const bytes = Buffer.from(digits.padStart(Math.ceil(digits.length / 4) * 4, '0'), 'hex');
  return bytes.swap16().toString('utf16le');
}
