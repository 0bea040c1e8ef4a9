import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { catalogOf, openPdf, type Pdf, resolve } from '../../../../../shared/signing/pades/pdf/document.ts';
import { undoPngFilters } from '../../../../../shared/signing/pades/pdf/filters.ts';
import { findPage } from '../../../../../shared/signing/pades/pdf/page-tree.ts';
import { sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { isStream, type PdfObject, ref } from '../../../../../shared/signing/pades/pdf/values.ts';
import { buildPdf, hybridPdf, ONE_PAGE } from '../documents.ts';
import { appendUpdate } from '../tamper.ts';

const open = (bytes: Buffer | string): Pdf =>
  openPdf(sourceOf(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
const objectIn = (bytes: Buffer, id: number): PdfObject => resolve(open(bytes), ref(id));
const text = (bytes: Buffer): string => bytes.toString('latin1');
const plain = buildPdf({ ...ONE_PAGE, 6: '(six)' });

describe('a cross-reference table', () => {
  test('may end its lines with one byte', () => {
    const at = text(plain).lastIndexOf('xref\n0');
    const short = text(plain).slice(0, at).concat(text(plain).slice(at).replace(/ \n/g, '\n'));
    expect(catalogOf(open(short)).dict.has('Pages')).toBe(true);
  });

  test('may count from one though its first entry is the one of number zero', () => {
    expect(catalogOf(open(text(plain).replace('xref\n0 7', 'xref\n1 7'))).dict.has('Pages')).toBe(true);
  });

  test('may not list an object twice', () => {
    const twice = text(plain).replace('trailer', '3 1\n0000000009 00000 n \ntrailer');
    expect(() => open(twice)).toThrow(/twice/);
  });

  test.each([
    ['longer than the file', 'xref\n0 7', 'xref\n0 7777777'],
    ['without a trailer', 'trailer', 'trialer'],
    ['with words in it', '00000 n', '0000x n'],
    ['with no root', '/Root', '/Toor'],
  ])('that is %s is broken', (_, from, to) => {
    expect(() => catalogOf(open(text(plain).replace(from, to)))).toThrow(/PDF is broken/);
  });
});

describe('saves', () => {
  test('are followed from the newest to the oldest', () => {
    const newer = appendUpdate(plain, { objects: { 6: '(newer)' } });
    const newest = appendUpdate(newer, { objects: { 6: null, 7: '(seven)' } });
    expect(objectIn(newer, 6)).toMatchObject({ raw: Buffer.from('(newer)') });
    expect(objectIn(newest, 6)).toBeNull();
    expect(objectIn(newest, 7)).toMatchObject({ raw: Buffer.from('(seven)') });
    expect(objectIn(newest, 5)).toBeInstanceOf(Map);
  });

  test('that go round in a circle are broken', () => {
    const at = /startxref\n(\d+)/.exec(text(plain))?.[1];
    expect(() => open(text(plain).replace('/Root', `/Prev ${at}/Root`))).toThrow(/circle/);
  });

  test('by the thousand are refused', () => {
    let many = buildPdf(ONE_PAGE);
    const parts = [many];
    let previous = Number(/startxref\n(\d+)/.exec(text(many))?.[1]);
    let length = many.length;
    for (let save = 0; save < 2001; save++) {
      const section = Buffer.from(
        `xref\n0 0\ntrailer\n<</Root 1 0 R/Prev ${previous}>>\nstartxref\n${length}\n%%EOF\n`,
      );
      previous = length;
      length += section.length;
      parts.push(section);
    }
    many = Buffer.concat(parts);
    expect(() => open(many)).toThrow(/more than 2000/);
  });
});

test('a reference of another generation is null', () => {
  expect(resolve(open(plain), ref(6, 1))).toBeNull();
  expect(resolve(open(plain), ref(600))).toBeNull();
});

test('an object that is not where the table says is broken', () => {
  expect(() => objectIn(Buffer.from(text(plain).replace('\n6 0 obj', '\n8 0 obj'), 'latin1'), 6)).toThrow(
    /object 6/,
  );
});

test('references that go round in a circle are null', () => {
  expect(objectIn(buildPdf({ ...ONE_PAGE, 6: '7 0 R', 7: '6 0 R' }), 6)).toBeNull();
});

test('objects that only a hybrid file’s stream lists are found', () => {
  expect(objectIn(hybridPdf(), 5)).toBeInstanceOf(Map);
});

describe('a stream', () => {
  const rawOf = (body: string, more = {}): string | undefined => {
    const object = objectIn(buildPdf({ ...ONE_PAGE, 6: body, ...more }), 6);
    return isStream(object) ? object.raw.toString('latin1') : undefined;
  };

  test.each([
    ['has its length', '<</Length 3>>\nstream\nabc\nendstream', 'abc'],
    ['has another line end', '<</Length 3>>\nstream\r\nabc\r\nendstream', 'abc'],
    ['has no line end', '<</Length 3>>\nstream\nabcendstream', 'abc'],
    ['has its length elsewhere', '<</Length 7 0 R>>\nstream\nabc\nendstream', 'abc'],
    ['has a wrong length', '<</Length 1>>\nstream\nabc\nendstream', 'abc\n'],
    ['has a length past the end', '<</Length 999999>>\nstream\nabc\nendstream', 'abc\n'],
    ['has no length', '<<>>\nstream\nabc\nendstream', 'abc\n'],
  ])('%s', (_, body, raw) => expect(rawOf(body, { 7: '3' })).toBe(raw));

  test('without an end is broken', () => {
    expect(() => rawOf('<</Length 1>>\nstream\nabc')).toThrow(/no end/);
  });

  test('whose length is itself is not read for ever', () => {
    expect(rawOf('<</Length 6 0 R>>\nstream\nabc\nendstream')).toBe('abc\n');
  });
});

// Objects from 1 on in an object stream, and a cross-reference stream with these columns.
function packedPdf(
  change: { packed?: Buffer; entries?: string; widths?: string; index?: string; first?: string } = {},
): Buffer {
  const bodies = [ONE_PAGE[1], ONE_PAGE[2], ONE_PAGE[3].replace('4 0 R', '[]')];
  let inside = '';
  const head = bodies.map((body, at) => {
    const pair = `${at + 1} ${inside.length} `;
    inside += `${body} `;
    return pair;
  });
  const packed = change.packed ?? deflateSync(Buffer.from(head.join('') + inside));
  const first = change.first ?? `/N 3/First ${head.join('').length}`;
  const container = `4 0 obj\n<</Type/ObjStm${first}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`;
  const start = '%PDF-1.5\n';
  const middle = Buffer.concat([
    Buffer.from(start + container),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const rows = Buffer.from(
    `00000000020400020401020402 01${start.length.toString(16).padStart(2, '0')}00`.replace(/ /g, '').slice(2),
    'hex',
  );
  const table = Buffer.from(
    `5 0 obj\n<</Type/XRef/Size 6/Root 1 0 R/W${change.widths ?? '[1 1 1]'}/Index${change.index ?? '[0 5]'}${change.entries ?? ''}/Length ${rows.length}>>\nstream\n`,
  );
  const end = Buffer.from(`\nendstream\nendobj\nstartxref\n${middle.length}\n%%EOF\n`);
  return Buffer.concat([middle, table, rows, end]);
}

describe('an object stream', () => {
  test('gives its objects', () => {
    expect(findPage(open(packedPdf()), 1).ref.id).toBe(3);
  });

  test.each([
    ['does not unpack', { packed: Buffer.from('not packed') }],
    ['unpacks to far more than the file', { packed: deflateSync(Buffer.alloc(50_000_000)) }],
    ['counts wrongly', { first: '/N 9999999/First 9' }],
    ['does not count', { first: '/First 9' }],
    ['does not say where it begins', { first: '/N 3' }],
  ])('that %s is broken', (_, change) => {
    expect(() => catalogOf(open(packedPdf(change)))).toThrow(/PDF is (broken|too complex)/);
  });
});

test.each([
  ['has too few columns', { widths: '[1 1]' }],
  ['has columns of nothing', { widths: '[0 0 0]' }],
  ['has columns wider than numbers', { widths: '[1 9 1]' }],
  ['lists more than it holds', { index: '[0 500]' }],
  ['lists half a pair', { index: '[0]' }],
  ['counts backwards', { index: '[-1 5]' }],
  ['is packed in a way that is not read', { entries: '/Filter/LZWDecode' }],
  ['predicts in a way that is not read', { entries: '/Filter/FlateDecode/DecodeParms<</Predictor 2>>' }],
])('a cross-reference stream that %s is broken', (_, change) => {
  expect(() => open(packedPdf(change))).toThrow(/PDF is broken/);
});

test('every PNG predictor is undone', () => {
  const rows = [
    [0, 10, 20, 30],
    [1, 1, 1, 1],
    [2, 1, 1, 1],
    [3, 1, 1, 1],
    [4, 1, 1, 1],
  ];
  const plainRows = undoPngFilters(Buffer.from(rows.flat()), { columns: 3, colors: 1, bits: 8 });
  expect([...plainRows]).toEqual([10, 20, 30, 1, 2, 3, 2, 3, 4, 2, 3, 4, 3, 4, 5]);
});

describe('pages', () => {
  const tree = buildPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 4/Rotate 90>>',
    3: '<</Type/Page/Parent 2 0 R>>',
    4: '<</Type/Pages/Parent 2 0 R/Kids[6 0 R 7 0 R]/Count 2>>',
    5: '<</Type/Page/Parent 2 0 R>>',
    6: '<</Type/Page/Parent 4 0 R>>',
    7: '<</Type/Page/Parent 4 0 R>>',
  });

  test.each([
    [1, 3],
    [2, 6],
    [3, 7],
    [4, 5],
    ['last', 5],
  ] as const)('page %s is object %i', (page, id) => {
    expect(findPage(open(tree), page).ref.id).toBe(id);
  });

  test.each([0, 5, -1, 1.5, Number.NaN])('there is no page %d', (page) => {
    expect(() => findPage(open(tree), page)).toThrow(/has no page/);
  });

  test('that go round in a circle are broken', () => {
    const circle = buildPdf({
      ...ONE_PAGE,
      2: '<</Type/Pages/Kids[6 0 R 2 0 R]/Count 9>>',
      6: '<</Kids[2 0 R]>>',
    });
    expect(() => findPage(open(circle), 1)).toThrow(/circle/);
  });
});
