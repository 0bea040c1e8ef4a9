import { describe, expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { buildPdf } from '../documents.ts';
import { messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { catalog, form, PREPARED, page, signed, stream } from '../prepared-document.ts';
import { appendUpdate } from '../tamper.ts';

// Incremental saving attack: readers that cannot read a section repair the file, and show objects that were signed along.
const REFUSED = 'no cross-reference accounts for';

const later = appendUpdate(signed, { objects: { 40: '<<>>' } })
  .subarray(signed.length)
  .toString('latin1');
const appended = (text: string): Buffer => Buffer.concat([signed, Buffer.from(text, 'latin1')]);
const previous = [...signed.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];

describe('a table that is appended', () => {
  test.each([
    ['with the usual line ends', '', ''],
    ['with the other line ends that are allowed', ' n \n', ' n\r\n'],
    ['with an empty run', 'xref\n', 'xref\n0 0\n'],
    ['with an empty line at its end', 'trailer', '\ntrailer'],
    ['with the entry of number 0', 'xref\n', 'xref\n0 1\n0000000000 65535 f \n'],
  ])('passes %s', async (_, from, to) => {
    const report = await verify(appended(later.replace(from, to)));
    expect([report.valid, messagesOf(report)]).toEqual([true, []]);
  });

  test.each([
    ['lines do not end', ' n \n', ' n'],
    ['numbers stand apart by more than a blank', '40 1\n', '40  1\n'],
    ['first number is not its own', 'xref\n', 'xref\n1 1\n0000000000 65535 f \n'],
    ['numbers are larger than readers count', 'xref\n', 'xref\n4294967300 1\n0000000000 00000 f \n'],
    ['empty runs begin past what readers count', 'xref\n', 'xref\n9999999 0\n'],
    ['size leaves objects out', '/Size 100', '/Size 5'],
    ['size is larger than readers allow', '/Size 100', '/Size 99999999'],
    ['size is no whole number', '/Size 100', '/Size 100.5'],
    ['size is another object', '/Size 100', '/Size 8 0 R'],
    ['trailer has a name that ends early for some', '/Root', '/Root#00 20 0 R/Root'],
    ['trailer names what is not there', '/Root', '/Info 98 0 R/Root'],
    ['place follows a comment', 'startxref\n', 'startxref%\n'],
    ['place follows a zero', 'startxref\n', 'startxref\0'],
    ['place is too far from its word', 'startxref\n', `startxref${' '.repeat(1100)}`],
  ])('does not pass when its %s', async (_, from, to) => {
    expect(later).toContain(from);
    expect(messagesOf(await verify(appended(later.replace(from, to)))).join()).toContain(REFUSED);
  });
});

describe('streams that hold the structure', () => {
  type Spelling = { columns?: readonly number[]; section?: string; packed?: string; word?: string };

  /** Moves the page to an object stream, with a cross-reference stream that lists it. */
  const repacked = ({
    columns = [1, 4, 2],
    section = '',
    packed = '',
    word = 'stream\n',
  }: Spelling): Buffer => {
    const inside = `3 0 ${page}`;
    const container = `90 0 obj\n<</Type/ObjStm/N 1/First 4/Length ${inside.length}${packed}>>\n${word}${inside}\nendstream\nendobj\n`;
    const sectionAt = signed.length + container.length;
    const rows = [
      [2, 90, 0],
      [1, signed.length, 0],
      [1, sectionAt, 0],
    ].flatMap((row) => row.map((value, at) => hexadecimal(value, columns[at] ?? 0)));
    const data = Buffer.from(rows.join(''), 'hex').toString('latin1');
    return appended(
      `${container}91 0 obj\n<</Type/XRef/Size 92/W[${columns.join(' ')}]/Index[3 1 90 2]/Root 1 0 R/Prev ${previous}/Length ${data.length}${section}>>\nstream\n${data}\nendstream\nendobj\nstartxref\n${sectionAt}\n%%EOF\n`,
    );
  };
  const hexadecimal = (value: number, bytes: number): string => value.toString(16).padStart(2 * bytes, '0');

  test('pass as most programs write them, and as pyHanko does', async () => {
    expect((await verify(repacked({}))).valid).toBe(true);
    expect((await verify(repacked({ columns: [1, 8, 2] }))).valid).toBe(true);
  });

  // A reader with offsets of 32 or 48 bits would find another object.
  test('do not pass when a number is larger than any file', async () => {
    const wide = repacked({ columns: [1, 8, 2] });
    const at = wide.lastIndexOf('stream\n', wide.lastIndexOf('endstream')) + 'stream\n'.length;
    for (const byte of [1, 2]) {
      const file = Buffer.from(wide);
      file.writeUInt8(1, at + 11 + byte); // where the object stream is
      expect(messagesOf(await verify(file)).join()).toContain('cannot be compared with the file');
    }
  });

  test.each<[string, Spelling]>([
    ['columns are wider than readers take', { columns: [6, 6, 6] }],
    ['last column is wider than readers take', { columns: [1, 8, 5] }],
    ['filter has its short name', { packed: '/F/ASCIIHexDecode' }],
    ['filter is none', { section: '/Filter[null]' }],
    ['bytes begin on the line of the word', { word: 'stream' }],
    ['bytes begin after half a line end', { word: 'stream\r' }],
  ])('do not pass when their %s', async (_, spelling) => {
    expect(messagesOf(await verify(repacked(spelling))).join()).toContain(REFUSED);
  });

  test('do not pass when their filter is an object, which may be another to each reader', async () => {
    expect((await verify(repacked({ packed: '/Filter 8 0 R' }))).valid).toBe(false);
  });
});

describe('what is appended refers to nothing that is missing', () => {
  const MISSING = new RegExp(`${REFUSED}|was removed`);
  const filled = PREPARED[11].replace('V()', 'V(200)');
  test.each([
    ['in what a field shows', { 11: filled.replace('12 0 R', '98 0 R') }],
    ['in another generation', { 11: filled.replace('12 0 R', '12 7 R') }],
    ['among the fields', { 10: form.replace('[11 0 R', '[11 0 R 98 0 R') }],
    ['in data for validation', { 1: catalog.replace('/Pages', '/DSS<</Certs[98 0 R]>>/Pages') }],
    ['because it was taken away', { 11: filled, 12: null }],
  ])('%s', async (_, objects) => {
    expect(messagesOf(await verify(appendUpdate(signed, { objects }))).join()).toMatch(MISSING);
  });

  test('in what is left of the signed document', async () => {
    const font = PREPARED[12].replace('/BBox', '/Resources<</Font<</F1 60 0 R>>>>/BBox');
    const file = await signPades(buildPdf({ ...PREPARED, 12: font, 60: PREPARED[5] }), person, OPTIONS);
    expect((await verify(appendUpdate(file, { objects: { 11: filled } }))).valid).toBe(true);
    const taken = await verify(appendUpdate(file, { objects: { 11: filled, 60: null } }));
    expect(messagesOf(taken).join()).toContain('An object that the document refers to was removed');
  });

  test('but for what was missing when it was signed', async () => {
    expect(page).toContain('30 0 R');
    const objects = { 3: page, 11: filled, 12: stream('').replace('<<', '<</Subtype/Form/BBox[0 0 9 9]') };
    expect((await verify(appendUpdate(signed, { objects }))).valid).toBe(true);
  });
});
