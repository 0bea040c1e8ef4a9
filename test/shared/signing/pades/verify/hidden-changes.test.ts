import { describe, expect, test } from 'vitest';
import { fillContents, hashAround } from '../../../../../shared/signing/pades/contents-placeholder.ts';
import { SUB_FILTER } from '../../../../../shared/signing/pades/fields.ts';
import { openForUpdate } from '../../../../../shared/signing/pades/open-for-signing.ts';
import { openPdf } from '../../../../../shared/signing/pades/pdf/document.ts';
import { append, sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { appendSignedField } from '../../../../../shared/signing/pades/signed-field.ts';
import { compareDocuments } from '../../../../../shared/signing/pades/verify/compare/documents.ts';
import { buildPdf, entry, hybridPdf } from '../documents.ts';
import { messagesOf, OPTIONS, person, stamp, verify } from '../parties.ts';
import { OVERLAY, offsetOf, PREPARED, page, signed, stream } from '../prepared-document.ts';
import { appendUpdate, bodyOf, type Update } from '../tamper.ts';

describe('shadow attack (replace): an object with two roles is judged by the stricter one', () => {
  const attackedIn = async (prepared: Record<number, string>, trailer: string, attack: Update) => {
    const file = await signPades(buildPdf({ ...PREPARED, ...prepared }, trailer), person, OPTIONS);
    expect((await verify(file)).valid).toBe(true);
    return verify(appendUpdate(file, { trailer, ...attack }));
  };
  const uncovered = OVERLAY.replace('0 0 200 50 re f', '               ');

  test('an image that is called the document information', async () => {
    const report = await attackedIn({}, '/Info 7 0 R', { objects: { 7: uncovered } });
    expect(report.valid).toBe(false);
  });

  test('an image that is called the form', () => {
    const called = { ...PREPARED, 1: PREPARED[1].replace('AcroForm 10', 'AcroForm 7') };
    const before = buildPdf(called);
    const after = appendUpdate(before, { objects: { 7: uncovered } });
    const open = (bytes: Buffer) => openPdf(sourceOf(bytes));
    const known = { isCertification: false, isLater: () => true, isTrusted: () => true };
    expect(compareDocuments(open(before), open(before), known)).toEqual([]);
    expect(compareDocuments(open(before), open(after), known)).toHaveLength(1);
  });

  test('metadata that is a page’s contents', async () => {
    const report = await attackedIn({ 1: PREPARED[1].replace('/Pages', '/Metadata 9 0 R/Pages') }, '', {
      objects: { 9: stream('BT (Terceira) Tj ET') },
    });
    expect(report.valid).toBe(false);
  });

  test('settings of the layers that are listed as a field', async () => {
    const layers = '<</FT/Tx/T(layers)/V(a)/Name(Layers)/Order[]/AS[]>>';
    const prepared = {
      1: PREPARED[1].replace('/Pages', '/OCProperties<</OCGs[]/D 40 0 R>>/Pages'),
      10: PREPARED[10].replace('[11 0 R', '[11 0 R 40 0 R'),
      40: layers,
    };
    const attack = { objects: { 40: layers.replace('V(a)', 'V(b)').replace('AS[]', 'AS[1]') } };
    expect((await attackedIn(prepared, '', attack)).valid).toBe(false);
    const bare = { ...prepared, 40: '<</FT/Tx/T(layers)/V(a)>>' };
    const added = { objects: { 40: '<</FT/Tx/T(layers)/V(b)/AS[<</Event/View>>]>>' } };
    expect((await attackedIn(bare, '', added)).valid).toBe(false);
  });

  test('a title that is an object of its own', async () => {
    const prepared = { 80: '<</Title 81 0 R>>', 81: '(Contrato)' };
    const report = await attackedIn(prepared, '/Info 80 0 R', { objects: { 81: '(Outro)' } });
    expect(messagesOf(report).join()).toContain('/Title was changed');
  });

  test('a picture on a button, which nobody fills in', async () => {
    const button =
      '<</Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[0 0 595 842]/P 3 0 R/AP<</N 12 0 R>>>>';
    const prepared = { 10: PREPARED[10].replace('[11 0 R', '[11 0 R 80 0 R'), 80: button };
    const drawn = button.replace('12 0 R', '90 0 R').replace('/T(b)', '/T(b)/V/x');
    expect((await attackedIn(prepared, '', { objects: { 80: drawn, 90: OVERLAY } })).valid).toBe(false);
  });

  test('fonts that values are drawn with, where the form had none', async () => {
    const prepared = { 10: '<</Fields[11 0 R]>>' };
    const drawn = (file: string): string => file.replace('/Fields', '/DR<</Font<</F1 90 0 R>>>>/Fields');
    const file = await signPades(buildPdf({ ...PREPARED, ...prepared }), person, OPTIONS);
    const fonts = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[49/nine]>>>>';
    const attacked = appendUpdate(file, { objects: { 10: drawn(bodyOf(file, 10)), 90: fonts } });
    expect(messagesOf(await verify(attacked)).join()).toContain('The form was changed');
  });

  test('contents that a reference to a reference leads to', async () => {
    const prepared = { 3: PREPARED[3].replace('30 0 R', '80 0 R'), 80: '81 0 R', 81: stream('BT ET') };
    const report = await attackedIn(prepared, '', { objects: { 81: stream('BT (Valor: R$ 999) Tj ET') } });
    expect(report.valid).toBe(false);
  });

  test('contents that only readers find who do not look at generations', async () => {
    const prepared = { 3: PREPARED[3].replace('30 0 R', '80 1 R'), 80: stream('BT ET') };
    const report = await attackedIn(prepared, '', { objects: { 80: stream('BT (Valor: R$ 999) Tj ET') } });
    expect(report.valid).toBe(false);
  });

  test('a field whose locked name stands apart', async () => {
    const lock = '<</Type/SigFieldLock/Action/Include/Fields[82 0 R]>>';
    const field = `<</Type/Annot/Subtype/Widget/FT/Sig/T(Seller)/Rect[0 0 0 0]/P 3 0 R/Lock ${lock}>>`;
    const prepared = {
      ...PREPARED,
      10: PREPARED[10].replace('[11 0 R', '[11 0 R 80 0 R'),
      11: PREPARED[11].replace('/T(amount)', '/T 81 0 R'),
      80: field,
      81: '(amount)',
      82: '(amount)',
    };
    const file = await signPades(buildPdf(prepared), person, { ...OPTIONS, field: 'Seller' });
    const filledIn = appendUpdate(file, { objects: { 11: prepared[11].replace('V()', 'V(999)') } });
    expect((await verify(file)).valid).toBe(true);
    expect((await verify(filledIn)).valid).toBe(false);
  });
});

test('sneaky signature attack: a visible timestamp does not pass, though timestamps are allowed', async () => {
  const shown = appendSignedField(openForUpdate(sourceOf(signed)), {
    kind: 'timestamp',
    head: `/Type/DocTimeStamp/SubFilter/${SUB_FILTER.timestamp}`,
    tail: '',
    contentsBytes: 12_000,
    visible: { lines: ['Valor: R$ 999'], place: { page: 1, x: 50, y: 740, width: 300, height: 50 } },
  });
  const file = append(sourceOf(signed), shown.increment);
  const token = await stamp('sha256', hashAround(file, shown.placeholder, 'sha256'));
  const stamped = Buffer.concat([
    signed,
    fillContents(shown.increment, signed.length, shown.placeholder, token),
  ]);
  const report = await verify(stamped);
  expect(report.signatures.map(({ intact }) => intact)).toEqual([true, true]);
  expect(report.signatures.map(({ unmodified }) => unmodified)).toEqual([false, true]);
});

describe('incremental saving attack: a reader that repairs files must not see another document', () => {
  test('in which an object is changed and changed back', async () => {
    const evil = appendUpdate(signed, { objects: { 4: stream('BT (Valor: R$ 999) Tj ET') } });
    const back = appendUpdate(evil, { objects: {}, moved: { 4: offsetOf(4) } });
    const report = await verify(back);
    expect(report.valid).toBe(false);
    expect(messagesOf(report).join()).toContain('no cross-reference accounts for');
  });

  test('because the end of the file is out of sight', async () => {
    const later = appendUpdate(signed, { objects: { 40: '<<>>' } });
    expect((await verify(later)).valid).toBe(true);
    for (const tail of [`%${'x'.repeat(3000)}\n`, ' '.repeat(3000)]) {
      const hidden = Buffer.concat([later, Buffer.from(tail)]);
      expect(messagesOf(await verify(hidden))).toContain(
        'modification: The file does not end as a PDF must.',
      );
    }
  });

  test.each([
    ['its table holds a comment', '\nxref\n', '\nxref %\n'],
    ['its table holds a comment between numbers', '\n40 1\n', '\n40 %\n1\n'],
    ['it does not say how many objects there are', '<</Size 100', '<<'],
  ])('because %s', async (_, from, to) => {
    const later = appendUpdate(signed, { objects: { 40: '<<>>' } }).toString('latin1');
    const at = later.lastIndexOf(from);
    const odd = Buffer.from(later.slice(0, at) + to + later.slice(at + from.length), 'latin1');
    expect(at).toBeGreaterThan(signed.length - 1);
    expect(messagesOf(await verify(odd)).join()).toContain('no cross-reference accounts for');
  });

  test('in a table and in a stream beside it', async () => {
    const at = signed.length;
    const objects = `41 0 obj\n(a)\nendobj\n`;
    const rows = Buffer.from([1, 0, 0, offsetOf(23) >> 8, offsetOf(23) & 0xff, 0]);
    const xref = `42 0 obj\n<</Type/XRef/Size 99/W[1 4 1]/Index[41 1]/Length 6>>\nstream\n${rows.toString('latin1')}\nendstream\nendobj\n`;
    const tableAt = at + objects.length + xref.length;
    const previous = [...signed.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
    const table = `xref\n41 2\n${entry(at)}${entry(at + objects.length)}trailer\n<</Size 99/Root 1 0 R/Prev ${previous}/XRefStm ${at + objects.length}>>\nstartxref\n${tableAt}\n%%EOF\n`;
    const report = await verify(Buffer.concat([signed, Buffer.from(objects + xref + table, 'latin1')]));
    expect(messagesOf(report).join()).toContain('no cross-reference accounts for');
  });
});

describe('shadow attack (replace): readers that differ must not see two documents', () => {
  const previous = [...signed.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
  const row = (kind: number, second: number, third: number): string =>
    Buffer.from([kind, second >> 16, second >> 8, second, third]).toString('latin1');
  const packed = (inside: string, first: number, count: number, type = '/Type/ObjStm'): string =>
    `<<${type}/N ${count}/First ${first}/Length ${inside.length}>>\nstream\n${inside}\nendstream`;

  /** The signed file with its page in an object stream, at this index. */
  const repacked = (container: string, at: number): Buffer => {
    const object = `90 0 obj\n${container}\nendobj\n`;
    const sectionAt = signed.length + object.length;
    const rows = row(2, 90, at) + row(1, signed.length, 0) + row(1, sectionAt, 0);
    const section = `91 0 obj\n<</Type/XRef/Size 92/W[1 3 1]/Index[3 1 90 2]/Root 1 0 R/Prev ${previous}/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\nstartxref\n${sectionAt}\n%%EOF\n`;
    return Buffer.concat([signed, Buffer.from(object + section, 'latin1')]);
  };
  const evil = page.replace('4 0 R', '23 0 R');
  const head = `3 0 3 ${evil.length + 1} `;

  test('and may pack an object as it was', async () => {
    expect((await verify(repacked(packed(`3 0 ${page}`, 4, 1), 0))).valid).toBe(true);
  });

  test.each([
    [
      'with two objects of one number in an object stream',
      packed(`${head}${evil} ${page}`, head.length, 2),
      1,
    ],
    [
      'with a key twice in an object stream that does not call itself one',
      packed(`3 0 ${page.replace('/Contents', '/Contents 23 0 R/Contents')}`, 4, 1, ''),
      0,
    ],
  ])('%s', async (_, container, at) => {
    const report = await verify(repacked(container, at));
    expect(messagesOf(report).join()).toContain('no cross-reference accounts for');
  });

  test('with an object that is free in a table and listed in the stream beside it', async () => {
    const rows = row(1, offsetOf(7), 0);
    const beside = `42 0 obj\n<</Type/XRef/Size 99/W[1 3 1]/Index[7 1]/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\n`;
    const table = `xref\n7 1\n0000000000 00001 f \n42 1\n${entry(signed.length)}trailer\n<</Size 99/Root 1 0 R/Prev ${previous}/XRefStm ${signed.length}>>\nstartxref\n${signed.length + beside.length}\n%%EOF\n`;
    const report = await verify(Buffer.concat([signed, Buffer.from(beside + table, 'latin1')]));
    expect(messagesOf(report).join()).toContain('Object 7 was moved');
  });

  test('with an object that was signed inside another and never shown', async () => {
    const twice = `3 0 obj\n${page.replace('/Contents', '/Contents 23 0 R/Contents')}\nendobj\n`;
    const file = await signPades(buildPdf({ ...PREPARED, 24: '<<>>', 99: stream(twice) }), person, OPTIONS);
    const attacked = appendUpdate(file, { objects: {}, moved: { 3: file.indexOf(twice, 0, 'latin1') } });
    expect(messagesOf(await verify(attacked)).join()).toContain('Object 3 was moved');
  });
});

test('shadow attack (replace): an exchanged object stream does not pass', async () => {
  const hybrid = await signPades(hybridPdf(), person, OPTIONS);
  const container = bodyOf(hybrid, 6);
  expect(container).toContain('/ObjStm');
  const attacked = appendUpdate(hybrid, { objects: { 6: container.replace('/Helvetica', '/Wingdings') } });
  const report = await verify(attacked);
  expect(report.signatures[0]).toMatchObject({ intact: true, unmodified: false });
});

describe('incremental saving attack: an appended object does not pass when', () => {
  const packed = (inside: string, first: number): string =>
    `<</Type/ObjStm/N 1/First ${first}/Length ${inside.length}>>\nstream\n${inside}\nendstream`;
  test.each([
    ['its length is not its length', '<</Length 5>>\nstream\nabcdefghijkl\nendstream'],
    ['it holds another that nothing lists', packed('4 0 (evil)', 4)],
    ['it is not closed', '(a)\nendobj 41 0 obj (b)'],
  ])('%s', async (_, body) => {
    const report = await verify(appendUpdate(signed, { objects: { 40: body } }));
    expect(messagesOf(report).join()).toContain('no cross-reference accounts for');
  });
});
