import { describe, expect, test } from 'vitest';
import { filled, hashAround } from '../../../../shared/signing/pades/hole.ts';
import { openForUpdate } from '../../../../shared/signing/pades/open-for-signing.ts';
import { extended, sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { appendSignedField } from '../../../../shared/signing/pades/signed-field.ts';
import { SUB_FILTER } from '../../../../shared/signing/pades/sub-filters.ts';
import { entry, handMade, ONE_PAGE, plainPdf } from './documents.ts';
import { OPTIONS, person, stamp, toldOf, verified } from './parties.ts';
import { bodyOf, type Update, updated } from './tamper.ts';

const OVERLAY =
  '<</Type/XObject/Subtype/Form/BBox[0 0 200 50]/Length 24>>\nstream\n1 g 0 0 200 50 re f     \nendstream';
const FREE_TEXT =
  '<</Type/Annot/Subtype/FreeText/Rect[50 740 300 790]/Contents(Valor: R$ 999)/DA(/F1 18 Tf)>>';
const stream = (content: string): string => `<</Length ${content.length}>>\nstream\n${content}\nendstream`;

// Two pages, an image over the first, a form, and loose ends of the kind that attacks prepare.
const PREPARED = {
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Names 16 0 R/Outlines 17 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>',
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>/XObject<</Hide 7 0 R>>>>/Contents[4 0 R 30 0 R]/Annots[11 0 R 13 0 R]>>',
  4: '<</Length 8 0 R>>\nstream\nBT /F1 18 Tf 50 760 Td (Valor: R$ 100) Tj ET /Hide Do\nendstream',
  6: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 9 0 R>>',
  7: OVERLAY,
  8: '53',
  9: stream('BT (Segunda) Tj ET'),
  10: '<</Fields[11 0 R]/DR<</Font<</F1 5 0 R>>>>/DA(/F1 0 Tf)>>',
  11: '<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)/V(100)/Rect[50 600 200 620]/P 3 0 R/F 4/AP<</N 12 0 R>>>>',
  12: '<</Type/XObject/Subtype/Form/BBox[0 0 150 20]/Length 20>>\nstream\nBT (100) Tj ET      \nendstream',
  13: '<</Type/Annot/Subtype/Link/Rect[0 0 10 10]/A<</S/URI/URI(https://example.com)>>>>',
  16: '<</Dests<</Names[(a) [3 0 R/Fit]]>>>>',
  17: '<</Type/Outlines/First 18 0 R/Last 18 0 R/Count 1>>',
  18: '<</Title(Um)/Parent 17 0 R/Dest[3 0 R/Fit]>>',
  // A second document, which nothing shows yet.
  20: '<</Type/Catalog/Pages 21 0 R/AcroForm 10 0 R>>',
  21: '<</Type/Pages/Kids[22 0 R]/Count 1>>',
  22: '<</Type/Page/Parent 21 0 R/MediaBox[0 0 595 842]/Contents 23 0 R>>',
  23: stream('BT (Outro contrato) Tj ET'),
};

const signed = await signPades(handMade(PREPARED), person, OPTIONS);
const page = bodyOf(signed, 3);
const catalog = bodyOf(signed, 1);
const form = bodyOf(signed, 10);

test('the signed document is valid before anything is done to it', async () => {
  const report = await verified(signed);
  expect([report.valid, toldOf(report)]).toEqual([true, []]);
});

const ATTACKS: Record<string, Update> = {
  'replaces the contents of a page': { objects: { 4: stream('BT (Valor: R$ 999) Tj ET') } },
  'points a page to other contents': { objects: { 3: page.replace('4 0 R', '23 0 R') } },
  'hides a page with a second table': { objects: { 2: '<</Type/Pages/Kids[3 0 R]/Count 1>>' } },
  'adds a page': { objects: { 2: '<</Type/Pages/Kids[3 0 R 6 0 R 22 0 R]/Count 3>>' } },
  'exchanges two pages': { objects: { 2: '<</Type/Pages/Kids[6 0 R 3 0 R]/Count 2>>' } },
  'turns a page round': { objects: { 3: page.replace('/Contents', '/Rotate 180/Contents') } },
  'cuts a page': { objects: { 3: page.replace('595 842', '595 400') } },
  'cuts every page': { objects: { 2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2/CropBox[0 0 595 400]>>' } },
  'takes away what hid the text': { objects: { 7: OVERLAY.replace('0 0 200 50 re f', '               ') } },
  'frees the object that hid the text': { objects: { 7: null } },
  'exchanges the font': {
    objects: { 5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[49/nine]>>>>' },
  },
  'shortens a stream by its length': { objects: { 8: '20' } },
  'fills a reference that dangled': { objects: { 30: stream('BT (Valor: R$ 999) Tj ET') } },
  'switches to another catalog that was signed along': { objects: {}, root: '20 0 R' },
  'switches to another page tree that was signed along': {
    objects: { 1: catalog.replace('Pages 2 0 R', 'Pages 21 0 R') },
  },
  'points an object to another that was signed along': { objects: {}, moved: { 4: offsetOf(23) } },
  'lays an annotation over the text': {
    objects: { 3: page.replace('13 0 R', '13 0 R 40 0 R'), 40: FREE_TEXT },
  },
  'changes where a link leads': { objects: { 13: PREPARED[13].replace('example.com', 'example.net') } },
  'takes an annotation away': { objects: { 3: page.replace('11 0 R 13 0 R', '11 0 R') } },
  'opens with a script': {
    objects: { 1: catalog.replace('/Pages', '/OpenAction<</S/JavaScript/JS(app.alert(1))>>/Pages') },
  },
  'names a script': { objects: { 16: '<</JavaScript<</Names[(a)<</S/JavaScript/JS(x)>>]>>>>' } },
  'changes an outline': { objects: { 18: PREPARED[18].replace('(Um)', '(Dois)') } },
  'changes the title': { objects: { 41: '<</Title(Outro)>>' }, trailer: '/Info 41 0 R' },
  'draws the fields anew': { objects: { 10: form.replace('/DA', '/NeedAppearances true/DA') } },
  'adds an XFA form': { objects: { 10: form.replace('/DA', '/XFA 9 0 R/DA') } },
  'adds a text field': {
    objects: {
      3: page.replace('13 0 R', '13 0 R 40 0 R'),
      10: form.replace('[11 0 R', '[11 0 R 40 0 R'),
      40: '<</Type/Annot/Subtype/Widget/FT/Tx/T(more)/V(999)/Rect[50 740 300 790]/P 3 0 R>>',
    },
  },
  'writes a field into the form itself': {
    objects: { 10: form.replace('[11 0 R', '[11 0 R<</FT/Tx/T(more)/V(999)>>') },
  },
  'adds a field for signatures that shows something and is not signed': {
    objects: {
      3: page.replace('13 0 R', '13 0 R 40 0 R'),
      10: form.replace('[11 0 R', '[11 0 R 40 0 R'),
      40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/Rect[50 740 300 790]/P 3 0 R/AP<</N 12 0 R>>>>',
    },
  },
  'adds a field that is signed with nothing': {
    objects: {
      3: page.replace('13 0 R', '13 0 R 40 0 R'),
      10: form.replace('[11 0 R', '[11 0 R 40 0 R'),
      40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/V 41 0 R/Rect[50 740 300 790]/P 3 0 R/AP<</N 12 0 R>>>>',
      41: '<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 0 0 0]/Contents<00>>>',
    },
  },
  'shows another value in a field without writing it': {
    objects: { 12: PREPARED[12].replace('(100)', '(999)') },
  },
  'moves a field': { objects: { 11: PREPARED[11].replace('50 600', '10 600') } },
  'fills a field in and moves it': {
    objects: { 11: PREPARED[11].replace('50 600', '10 600').replace('V(100)', 'V(999)') },
  },
  'takes a field away': { objects: { 10: form.replace('11 0 R', '') } },
  'takes the form away': { objects: { 1: catalog.replace('/AcroForm 10 0 R', '') } },
  'says the same key twice': { objects: { 1: catalog.replace('/Pages', '/Pages 21 0 R/Pages') } },
  'certifies afterwards': {
    objects: { 1: catalog.replace('/Pages', '/Perms<</DocMDP 40 0 R>>/Pages'), 40: '<<>>' },
  },
};

function offsetOf(id: number): number {
  return signed.toString('latin1').indexOf(`\n${id} 0 obj\n`) + 1;
}

describe('a save after the signature is told as a modification when it', () => {
  test.each(Object.entries(ATTACKS))('%s', async (_, attack) => {
    const attacked = updated(signed, attack);
    expect(attacked.equals(signed)).toBe(false);
    const report = await verified(attacked);
    expect(report.valid).toBe(false);
    const [signature] = report.signatures;
    expect(signature?.unmodified).toBe(false);
    // The bytes that were signed are as they were: only the document is not.
    expect(signature?.intact).toBe(true);
    expect(signature?.changes.some(({ kind }) => kind === 'modification')).toBe(true);
    expect(signature?.results.errors.map(({ message }) => message).join()).toContain(
      'changed after it was signed',
    );
  });
});

describe('bytes that no table accounts for do not pass when they are', () => {
  const late = `4 0 obj\n${stream('BT (Valor: R$ 999) Tj ET')}\nendobj\n`;
  const forged = updated(signed, { objects: { 40: '<<>>' } });
  test.each([
    ['an object alone', Buffer.concat([signed, Buffer.from(late)])],
    ['words', Buffer.concat([signed, Buffer.from('and more')])],
    ['a trailer alone', Buffer.concat([signed, Buffer.from('trailer\n<</Root 20 0 R>>\n%%EOF\n')])],
    [
      'an object before a table that does not list it',
      updated(Buffer.concat([signed, Buffer.from(late)]), { objects: { 40: '<<>>' } }),
    ],
    ['an object after the end of the file', Buffer.concat([forged, Buffer.from(late)])],
  ])('%s', async (_, attacked) => {
    const report = await verified(attacked);
    expect(report.valid).toBe(false);
    expect(toldOf(report).join()).toContain('no cross-reference accounts for');
  });

  test('except the line end that some programs add', async () => {
    expect((await verified(Buffer.concat([signed, Buffer.from('\r\n')]))).valid).toBe(true);
  });
});

test('a table that no longer builds on the signed document does not pass, though it shows the same', async () => {
  const text = signed.toString('latin1');
  const last = [...text.matchAll(/xref\n0 (\d+)\n/g)][0];
  const offsets = new Map<number, number>();
  for (const match of text.matchAll(/\n(\d+) 0 obj\n/g))
    offsets.set(Number(match[1]), (match.index ?? 0) + 1);
  const size = Math.max(...offsets.keys()) + 1;
  const rows = Array.from({ length: size }, (_, id) => entry(offsets.get(id))).join('');
  expect(last).toBeDefined();
  const table = `xref\n0 ${size}\n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${signed.length}\n%%EOF\n`;
  const report = await verified(Buffer.concat([signed, Buffer.from(table)]));
  expect(report.valid).toBe(false);
  expect(toldOf(report).join()).toContain('no longer builds on');
});

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

  test('an image that is called the form', async () => {
    const report = await attackedIn({ 1: PREPARED[1].replace('AcroForm 10', 'AcroForm 7') }, '', {
      objects: { 7: uncovered },
    });
    expect(report.valid).toBe(false);
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
  const packed = await signPades(await plainPdf('streams'), person, OPTIONS);
  const text = packed.toString('latin1');
  const id = Number(/(\d+) 0 obj\n<<[^>]*\/Type \/ObjStm/.exec(text)?.[1]);
  const root = /\/Root (\d+ 0 R)/.exec(text)?.[1];
  const attacked = updated(packed, {
    objects: { [id]: '<</Type/ObjStm/N 1/First 4/Length 8>>\nstream\n2 0 <<>>\nendstream' },
    ...(root && { root }),
  });
  const report = await verified(attacked).catch((error: unknown) => error);
  expect(report).not.toMatchObject({ valid: true });
});

test('a signature that is taken out again is told', async () => {
  const twice = await signPades(signed, person, OPTIONS);
  const attacked = updated(twice, { objects: { 10: bodyOf(signed, 10), 3: page } });
  const report = await verified(attacked);
  expect(report.valid).toBe(false);
  expect(report.signatures.map(({ valid }) => valid)).toEqual([true, false]);
  expect(toldOf(report).join()).toContain('taken out of the document');
});
