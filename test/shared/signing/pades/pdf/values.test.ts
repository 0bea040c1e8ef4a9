import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPdfBudget } from '../../../../../shared/signing/pades/pdf/budget.ts';
import { cursorAt, readValue } from '../../../../../shared/signing/pades/pdf/parse.ts';
import {
  dateMs,
  dateString,
  stringBytes,
  textOf,
  textString,
} from '../../../../../shared/signing/pades/pdf/text.ts';
import {
  isString,
  numberOf,
  type PdfString,
  type PdfValue,
  print,
} from '../../../../../shared/signing/pades/pdf/values.ts';
import { isSame } from '../../../../../shared/signing/pades/verify/compare/values.ts';
import { runs } from '../../../../faults/fuzz.ts';

const read = (text: string, strict = false): PdfValue =>
  readValue(cursorAt(Buffer.from(text, 'latin1'), 0, createPdfBudget(text.length), strict));
const reprinted = (text: string): string => print(read(text));

function stringOf(text: string): PdfString {
  const value = read(text);
  if (!isString(value)) throw new Error(`${text} is no string.`);
  return value;
}

describe('values', () => {
  test.each([
    ['<</Type/Page/Kids[1 0 R 2 0 R]>>', '<</Type /Page\n/Kids [1 0 R 2 0 R]>>'],
    ['[1 2 R]', '[1 2 R]'],
    ['[1 2 3 0 R 4]', '[1 2 3 0 R 4]'],
    ['[1 2 Rx]', undefined],
    ['[ -5 +7 0.50 .5 -.002 4. --3 ]', '[-5 7 0.50 .5 -.002 4. --3]'],
    ['[true false null]', '[true false null]'],
    ['/A#20B', '/A#20B'],
    ['/Cont#65nts', '/Contents'],
    ['/a#', '/a#23'],
    ['(a(b)c\\)d)', '(a(b)c\\)d)'],
    ['<48 65 6C>', '<48 65 6C>'],
    ['<</A%comment >>\n1>>', '<</A 1>>'],
    ['[1%c\r2]', '[1 2]'],
    ['99999999999999999999', '99999999999999999999'],
    ['<</A 1', undefined],
    ['[1', undefined],
    ['(a', undefined],
    ['<4G>', undefined],
    ['<</A>>', undefined],
    ['<<1 2>>', undefined],
    ['obj', undefined],
    ['', undefined],
    [')', undefined],
  ])('%s', (text, printed) => {
    if (printed === undefined) expect(() => read(text)).toThrow(/PDF is broken/);
    else expect(reprinted(text)).toBe(printed);
  });

  test('nested without end are refused before the stack is full', () => {
    for (const open of ['[', '<</A ', '[<<'])
      expect(() => read(open.repeat(1_000_000))).toThrow(/nested too deep|not a name/);
  });

  test('by the million in one object are refused', () => {
    expect(() => read(`[${'/a '.repeat(1_100_000)}]`)).toThrow(/so many values/);
  });

  test('with a key twice are refused where readers would differ', () => {
    expect(reprinted('<</A 1/A 2>>')).toBe('<</A 2>>');
    expect(() => read('<</A 1/#41 2>>', true)).toThrow(/twice/);
  });

  test('are written so that they read the same', () => {
    const name = fc.string({
      unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
    });
    const leaf = fc.oneof(
      fc.constantFrom<PdfValue>(null, true, false),
      fc.integer(),
      name.map((text) => ({ kind: 'name', name: text }) as const),
      fc.record({ kind: fc.constant('ref' as const), id: fc.nat(), generation: fc.nat(65_535) }),
    );
    const { value } = fc.letrec<{ value: PdfValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
      ),
    }));
    fc.assert(
      fc.property(value, (made) => isSame(read(print(made)), made)),
      { numRuns: runs(300) },
    );
  });
});

describe('text', () => {
  test.each([
    ['(a\\(b\\)\\\\\\n\\101\\7)', 'a(b)\\\nA\x07'],
    ['(a\\\r\nb\rc)', 'ab\nc'],
    ['<feff00e700e3006f>', 'ção'],
    ['<EFBBBFC3A7>', 'ç'],
    ['<4>', '@'],
    ['(\\200\\240\\347)', '•€ç'],
    ['<feff00>', ''],
  ])('%s reads as %s', (raw, text) => {
    expect(textOf(stringOf(raw))).toBe(text);
  });

  test('of any letters is written so that it reads the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => textOf(stringOf(textString(text))) === text),
    );
  });

  test('of bytes loses none', () => {
    expect(stringBytes(stringOf('<00ff10>')).toString('hex')).toBe('00ff10');
  });
});

describe('dates', () => {
  test.each([
    ['D:20260131', Date.UTC(2026, 0, 31)],
    ["D:20260131120000-03'00'", Date.UTC(2026, 0, 31, 15)],
    ["D:20260131120000+05'30", Date.UTC(2026, 0, 31, 6, 30)],
    ['20260131120000Z', Date.UTC(2026, 0, 31, 12)],
    ['yesterday', undefined],
  ])('%s', (text, ms) => expect(dateMs(text)).toBe(ms));

  test('are written so that they read the same, to the second', () => {
    const second = Math.floor(Date.now() / 1000) * 1000;
    expect(dateMs(textOf(stringOf(dateString(second))))).toBe(second);
  });
});

test.each([
  ['0.50', 0.5],
  ['.5', 0.5],
  ['-3', -3],
  ['4.', 4],
])('the number %s is %d', (text, number) => expect(numberOf(read(text))).toBe(number));
