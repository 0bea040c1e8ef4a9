import { describe, expect, test } from 'vitest';
import { openPdf } from '../../../../../shared/signing/pades/pdf/document.ts';
import { sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { reachableSize } from '../../../../../shared/signing/pades/verify/appended/missing-refs.ts';
import { buildPdf, entry, ONE_PAGE } from '../documents.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { catalog, PREPARED, signed } from '../prepared-document.ts';
import { appendUpdate } from '../tamper.ts';

// Mistakes of honest programs that all readers accept, each beside the attack that would use it.
const REFUSED = /no cross-reference accounts for/;
const FILLED = 'form-filling: The field "amount" was filled in.';
const filled = PREPARED[11].replace('V()', 'V(200)');
const previous = [...signed.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];

const appended = (text: string): Buffer => Buffer.concat([signed, Buffer.from(text, 'latin1')]);
const outcomeOf = async (file: Buffer) => {
  const report = await verify(file);
  return { valid: report.valid, messages: messagesOf(report) };
};

describe('a hybrid section as PDFBox writes it, every object in the table and in the stream beside it', () => {
  const row = (kind: number, second: number, third: number): string =>
    Buffer.from([kind, second >> 16, second >> 8, second, third]).toString('latin1');

  /** The field is filled in, and has this entry in the stream. */
  const hybrid = (streamEntry: (offset: number) => string): Buffer => {
    const object = `11 0 obj\n${filled}\nendobj\n`;
    const streamAt = signed.length + object.length;
    const rows = row(0, 0, 255) + streamEntry(signed.length) + row(1, streamAt, 0);
    const stream = `90 0 obj\n<</Type/XRef/Size 91/W[1 3 1]/Index[0 1 11 1 90 1]/Root 1 0 R/Prev ${previous}/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\n`;
    const tableAt = streamAt + stream.length;
    const table = `xref\n0 1\n0000000000 65535 f \n11 1\n${entry(signed.length)}90 1\n${entry(streamAt)}`;
    const trailer = `trailer\n<</Size 91/Root 1 0 R/Prev ${previous}/XRefStm ${streamAt}>>\nstartxref\n${tableAt}\n%%EOF\n`;
    return appended(object + stream + table + trailer);
  };

  test('passes when both entries are equal', async () => {
    expect(await outcomeOf(hybrid((offset) => row(1, offset, 0)))).toEqual({
      valid: true,
      messages: [FILLED],
    });
  });

  test.each<[string, (offset: number) => string]>([
    ['place', (offset) => row(1, offset - 40, 0)],
    ['generation', (offset) => row(1, offset, 1)],
    ['kind of place', () => row(2, 90, 0)],
    ['existence', () => row(0, 0, 1)],
  ])('does not pass when the stream has another %s (shadow attack, replace)', async (_, streamEntry) => {
    expect((await outcomeOf(hybrid(streamEntry))).messages.join()).toMatch(REFUSED);
  });
});

describe('a trailer', () => {
  const KEYS = '/DocChecksum/1B10FCEC6B945FF5/AdditionalStreams[/application#2Fvnd 98 0 R]/Private 97 0 R';
  const withTrailer = (trailer: string): Buffer => appendUpdate(signed, { objects: { 11: filled }, trailer });
  const inStream = (trailer: string): Buffer => {
    const object = `11 0 obj\n${filled}\nendobj\n`;
    const at = signed.length + object.length;
    const rows = Buffer.alloc(12);
    for (const [index, offset] of [signed.length, at].entries())
      rows.writeUIntBE(0x0100000000 + offset, 6 * index, 5);
    return appended(
      `${object}90 0 obj\n<</Type/XRef/Size 91/W[1 4 1]/Index[11 1 90 1]/Root 1 0 R/Prev ${previous}${trailer}/Length 12>>\nstream\n${rows.toString('latin1')}\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`,
    );
  };

  test.each([
    ['table', withTrailer],
    ['stream', inStream],
  ])('of a %s may refer to missing objects where no reader follows', async (_, make) => {
    expect(await outcomeOf(make(KEYS))).toEqual({ valid: true, messages: [FILLED] });
  });

  test.each([
    ['table', withTrailer],
    ['stream', inStream],
  ])(
    'of a %s may not refer to missing objects where a reader follows (incremental saving attack)',
    async (_, make) => {
      expect((await outcomeOf(make('/Info 98 0 R'))).messages.join()).toMatch(REFUSED);
      expect((await outcomeOf(make('/ID 98 0 R'))).messages.join()).toMatch(REFUSED);
      await expect(outcomeOf(make('/Encrypt 98 0 R'))).rejects.toMatchObject({ reason: 'encrypted' });
    },
  );

  test('whose catalog, section or stream beside it refers to a missing object is not read', async () => {
    const root = appendUpdate(signed, { objects: { 11: filled }, root: '98 0 R' });
    const table = withTrailer('').toString('latin1');
    const at = table.lastIndexOf(`/Prev ${previous}`);
    const before = Buffer.from(
      `${table.slice(0, at)}/Prev 98 0 R${table.slice(at + `/Prev ${previous}`.length)}`,
      'latin1',
    );
    for (const file of [root, before, withTrailer('/XRefStm 98 0 R')])
      await expect(outcomeOf(file)).rejects.toMatchObject({ name: 'PdfRefused', reason: 'broken' });
  });

  test('may still name what was freed, where no reader follows', async () => {
    const trailer = '/Private 60 0 R';
    const file = await signPades(buildPdf({ ...PREPARED, 60: '<<>>' }, trailer), person, OPTIONS);
    expect((await outcomeOf(appendUpdate(file, { objects: { 60: null }, trailer }))).valid).toBe(true);
    expect((await outcomeOf(appendUpdate(file, { objects: { 5: null }, trailer }))).valid).toBe(false);
  });
});

describe('an offset that counts from the blanks before an object', () => {
  const placedAt = (text: string, shift: number, more: Record<number, string> = {}): Buffer => {
    const object = `${text}11 0 obj\n${filled}\nendobj\n`;
    const rest = Object.entries(more).map(([id, body]) => `${id} 0 obj\n${body}\nendobj\n`);
    const at = signed.length + object.length + rest.join('').length;
    const table = `xref\n11 1\n${entry(signed.length + shift)}trailer\n<</Size 100/Root 1 0 R/Prev ${previous}>>\nstartxref\n${at}\n%%EOF\n`;
    return appended(object + rest.join('') + table);
  };

  test.each([
    ['the line end before it', '', -1],
    ['a line end of two bytes', '\r\n', 0],
    ['a blank line', '\n \n', 0],
  ])('passes when it is at %s', async (_, text, shift) => {
    expect(await outcomeOf(placedAt(text, shift))).toEqual({ valid: true, messages: [FILLED] });
  });

  test.each([
    ['at a comment', '% 11 0 obj null endobj\n', 0],
    ['far before it', ' '.repeat(40), 0],
    ['at the end of what was signed', '', -6],
  ])('does not pass when it is %s', async (_, text, shift) => {
    expect((await outcomeOf(placedAt(text, shift))).valid).toBe(false);
  });

  test('passes for a section, in startxref and in /Prev', async () => {
    const once = appendUpdate(signed, { objects: { 11: filled } }).toString('latin1');
    const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(once)?.[1]);
    const early = once.replace(/\d+(?=\n%%EOF\n$)/, String(at - 1));
    expect(await outcomeOf(Buffer.from(early, 'latin1'))).toEqual({ valid: true, messages: [FILLED] });
    const prev = early.replace(`/Prev ${previous}`, `/Prev ${Number(previous) - 1}`);
    expect(prev).not.toBe(early);
    expect(await outcomeOf(Buffer.from(prev, 'latin1'))).toEqual({ valid: true, messages: [FILLED] });
    const wrong = once.replace(/\d+(?=\n%%EOF\n$)/, String(at - 3));
    await expect(outcomeOf(Buffer.from(wrong, 'latin1'))).rejects.toMatchObject({ reason: 'broken' });
  });

  test('does not pass when another object stands there', async () => {
    const other = appendUpdate(signed, { objects: { 11: filled }, moved: { 40: signed.length - 1 } });
    expect((await outcomeOf(other)).messages.join()).toMatch(REFUSED);
  });

  test('does not prevent signing, nor break earlier signatures', async () => {
    const text = buildPdf(ONE_PAGE).toString('latin1');
    const early = text.replace(/\d{10}(?= 00000 n)/g, (offset) =>
      String(Number(offset) - 1).padStart(10, '0'),
    );
    const once = await signPades(Buffer.from(early, 'latin1'), person, OPTIONS);
    expect((await outcomeOf(await signPades(once, company, OPTIONS))).valid).toBe(true);
  });
});

describe('a /Size that is too small', () => {
  const sized = (size: number): Buffer => {
    const file = appendUpdate(signed, { objects: { 11: filled, 40: '<<>>' } }).toString('latin1');
    const at = file.lastIndexOf('/Size 100');
    return Buffer.from(`${file.slice(0, at)}/Size ${size}${file.slice(at + '/Size 100'.length)}`, 'latin1');
  };
  const highest = Math.max(
    ...Array.from(signed.toString('latin1').matchAll(/\n(\d+) 0 obj/g), ([, id]) => Number(id)),
  );

  test('passes when it misses only what the save itself added', async () => {
    for (const size of [41, 40, highest + 1])
      expect(await outcomeOf(sized(size))).toEqual({ valid: true, messages: [FILLED] });
  });

  // Shadow attack (hide): a reader that follows ISO 32000-1, 7.5.5, drops the rest.
  test('does not pass when it hides an object that the signed document shows', async () => {
    for (const size of [highest, 8, 0])
      expect((await outcomeOf(sized(size))).messages.join()).toMatch(REFUSED);
  });

  test('counts the object stream of something that is shown', () => {
    const packed = `5 0 ${ONE_PAGE[5]}`;
    const held = `<</Type/ObjStm/N 1/First 4/Length ${packed.length}>>\nstream\n${packed}\nendstream`;
    const { 5: _, ...bodies } = ONE_PAGE;
    const file = buildPdf({ ...bodies, 60: held }).toString('latin1');
    const at = file.lastIndexOf('xref\n0');
    const section = `61 0 obj\n<</Type/XRef/Size 62/W[1 1 1]/Index[5 1]/Root 1 0 R/Prev ${at}/Length 3>>\nstream\n\x02\x3c\x00\nendstream\nendobj\n`;
    const whole = `${file}${section}startxref\n${file.length}\n%%EOF\n`;
    expect(reachableSize(openPdf(sourceOf(Buffer.from(whole, 'latin1'))))).toBe(61);
  });

  test('does not prevent signing', async () => {
    const small = buildPdf(ONE_PAGE).toString('latin1').replace('/Size 6', '/Size 4');
    const once = await signPades(Buffer.from(small, 'latin1'), person, OPTIONS);
    expect((await outcomeOf(await signPades(once, company, OPTIONS))).valid).toBe(true);
  });
});

describe('a key that a dictionary repeats', () => {
  const repeated = (from: string, to: string): Buffer => {
    expect(catalog).toContain(from);
    return appendUpdate(signed, { objects: { 1: catalog.replace(from, to), 11: filled } });
  };

  test.each([
    ['with the same reference', '/Pages', '/Pages 2 0 R/Pages'],
    ['in another spelling of its name', '/Pages', '/P#61ges 2 0 R/Pages'],
    ['three times', '/Pages', '/Pages 2 0 R/Pages 2 0 R/Pages'],
  ])('passes %s', async (_, from, to) => {
    expect(await outcomeOf(repeated(from, to))).toEqual({ valid: true, messages: [FILLED] });
  });

  test.each([
    ['with another value first', '/Pages', '/Pages 21 0 R/Pages'],
    ['with another value between', '/Pages', '/Pages 2 0 R/Pages 21 0 R/Pages'],
    ['with another value inside the value', '/Pages', '/X<</A<</B 1>>>>/X<</A<</B 2>>>>/Pages'],
    ['with the same text in another spelling', '/Pages', '/X(a)/X<61>/Pages'],
  ])('does not pass %s', async (_, from, to) => {
    expect((await outcomeOf(repeated(from, to))).messages.join()).toMatch(REFUSED);
  });

  test('passes in a trailer, with the same value', async () => {
    const twice = appendUpdate(signed, { objects: { 11: filled }, root: '1 0 R/Root 1 0 R' });
    expect(await outcomeOf(twice)).toEqual({ valid: true, messages: [FILLED] });
  });
});
