import { describe, expect, test } from 'vitest';
import { filled, hashAround } from '../../../../shared/signing/pades/hole.ts';
import { openForUpdate } from '../../../../shared/signing/pades/open-for-signing.ts';
import { openPdf } from '../../../../shared/signing/pades/pdf/document.ts';
import { extended, sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { appendSignedField } from '../../../../shared/signing/pades/signed-field.ts';
import { SUB_FILTER } from '../../../../shared/signing/pades/sub-filters.ts';
import { compareDocuments } from '../../../../shared/signing/pades/verify/compare-documents.ts';
import { entry, handMade, hybridPdf } from './documents.ts';
import { OPTIONS, person, stamp, toldOf, verified } from './parties.ts';
import { OVERLAY, offsetOf, PREPARED, signed, stream } from './prepared-document.ts';
import { bodyOf, type Update, updated } from './tamper.ts';

describe('what stands in two roles is judged by the stricter', () => {
  const attackedIn = async (prepared: Record<number, string>, trailer: string, attack: Update) => {
    const file = await signPades(handMade({ ...PREPARED, ...prepared }, trailer), person, OPTIONS);
    expect((await verified(file)).valid).toBe(true);
    return verified(updated(file, { trailer, ...attack }));
  };
  const uncovered = OVERLAY.replace('0 0 200 50 re f', '               ');

  test('an image that is called the document information', async () => {
    const report = await attackedIn({}, '/Info 7 0 R', { objects: { 7: uncovered } });
    expect(report.valid).toBe(false);
  });

  test('an image that is called the form', () => {
    const called = { ...PREPARED, 1: PREPARED[1].replace('AcroForm 10', 'AcroForm 7') };
    const before = handMade(called);
    const after = updated(before, { objects: { 7: uncovered } });
    const open = (bytes: Buffer) => openPdf(sourceOf(bytes));
    expect(compareDocuments(open(before), open(before), () => true)).toEqual([]);
    expect(compareDocuments(open(before), open(after), () => true)).toHaveLength(1);
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
  });
});

test('a timestamp that shows something does not pass, though nobody forbade timestamps', async () => {
  const shown = appendSignedField(openForUpdate(sourceOf(signed)), {
    kind: 'timestamp',
    head: `/Type/DocTimeStamp/SubFilter/${SUB_FILTER.timestamp}`,
    tail: '',
    contentsBytes: 12_000,
    visible: { lines: ['Valor: R$ 999'], place: { page: 1, x: 50, y: 740, width: 300, height: 50 } },
  });
  const file = extended(sourceOf(signed), shown.increment);
  const token = await stamp('sha256', hashAround(file, shown.hole, 'sha256'));
  const stamped = Buffer.concat([signed, filled(shown.increment, signed.length, shown.hole, token)]);
  const report = await verified(stamped);
  expect(report.signatures.map(({ intact }) => intact)).toEqual([true, true]);
  expect(report.signatures.map(({ unmodified }) => unmodified)).toEqual([false, true]);
});

describe('a reader that repairs files must not see another document', () => {
  test('in which an object is changed and changed back', async () => {
    const evil = updated(signed, { objects: { 4: stream('BT (Valor: R$ 999) Tj ET') } });
    const back = updated(evil, { objects: {}, moved: { 4: offsetOf(4) } });
    const report = await verified(back);
    expect(report.valid).toBe(false);
    expect(toldOf(report).join()).toContain('no cross-reference accounts for');
  });

  test('because the end of the file is out of sight', async () => {
    const later = updated(signed, { objects: { 40: '<<>>' } });
    expect((await verified(later)).valid).toBe(true);
    for (const tail of [`%${'x'.repeat(3000)}\n`, ' '.repeat(3000)]) {
      const hidden = Buffer.concat([later, Buffer.from(tail)]);
      expect(toldOf(await verified(hidden))).toContain('modification: The file does not end as a PDF must.');
    }
  });

  test('in a table and in a stream beside it', async () => {
    const at = signed.length;
    const objects = `41 0 obj\n(a)\nendobj\n`;
    const rows = Buffer.from([1, 0, 0, offsetOf(23) >> 8, offsetOf(23) & 0xff, 0]);
    const xref = `42 0 obj\n<</Type/XRef/Size 99/W[1 4 1]/Index[41 1]/Length 6>>\nstream\n${rows.toString('latin1')}\nendstream\nendobj\n`;
    const tableAt = at + objects.length + xref.length;
    const previous = [...signed.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
    const table = `xref\n41 2\n${entry(at)}${entry(at + objects.length)}trailer\n<</Size 99/Root 1 0 R/Prev ${previous}/XRefStm ${at + objects.length}>>\nstartxref\n${tableAt}\n%%EOF\n`;
    const report = await verified(Buffer.concat([signed, Buffer.from(objects + xref + table, 'latin1')]));
    expect(toldOf(report).join()).toContain('no cross-reference accounts for');
  });
});

test('an object stream that is exchanged does not pass', async () => {
  const hybrid = await signPades(hybridPdf(), person, OPTIONS);
  const container = bodyOf(hybrid, 6);
  expect(container).toContain('/ObjStm');
  const attacked = updated(hybrid, { objects: { 6: container.replace('/Helvetica', '/Wingdings') } });
  const report = await verified(attacked);
  expect(report.signatures[0]).toMatchObject({ intact: true, unmodified: false });
});

describe('an object that is appended does not pass when', () => {
  const packed = (inside: string, first: number): string =>
    `<</Type/ObjStm/N 1/First ${first}/Length ${inside.length}>>\nstream\n${inside}\nendstream`;
  test.each([
    ['its length is not its length', '<</Length 5>>\nstream\nabcdefghijkl\nendstream'],
    ['it holds another that nothing lists', packed('4 0 (evil)', 4)],
    ['it is not closed', '(a)\nendobj 41 0 obj (b)'],
  ])('%s', async (_, body) => {
    const report = await verified(updated(signed, { objects: { 40: body } }));
    expect(toldOf(report).join()).toContain('no cross-reference accounts for');
  });
});
