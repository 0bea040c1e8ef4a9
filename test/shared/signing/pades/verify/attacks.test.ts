import { describe, expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { entry } from '../documents.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';
import {
  catalog,
  FREE_TEXT,
  form,
  OVERLAY,
  offsetOf,
  PREPARED,
  page,
  signed,
  stream,
} from '../prepared-document.ts';
import { appendUpdate, bodyOf, type Update } from '../tamper.ts';

test('the signed document is valid before any attack', async () => {
  const report = await verify(signed);
  expect([report.valid, messagesOf(report)]).toEqual([true, []]);
});

/** Adds a reference at the end of an array. */
const longer = (body: string, key: string, id: number): string =>
  body.replace(new RegExp(`(/${key} ?\\[[^\\]]*)\\]`), `$1 ${id} 0 R]`);

const withField = (field: string, more: Record<number, string> = {}): Update => ({
  objects: { 3: longer(page, 'Annots', 40), 10: longer(form, 'Fields', 40), 40: field, ...more },
});

const signatureRef = /\/V (\d+ 0 R)/.exec(bodyOf(signed, Number(/(\d+) 0 R\]/.exec(form)?.[1])))?.[1];
const MANY = Array.from({ length: 101 }, (_, at) => 100 + at);

const ATTACKS: Record<string, Record<string, Update>> = {
  'Shadow attack (replace): an update changes an object that the signed document shows': {
    'replaces the contents of a page': { objects: { 4: stream('BT (Valor: R$ 999) Tj ET') } },
    'points a page to other contents': { objects: { 3: page.replace('4 0 R', '23 0 R') } },
    'adds to the contents of a page': { objects: { 3: longer(page, 'Contents', 23) } },
    'rotates a page': { objects: { 3: page.replace('/Contents', '/Rotate 180/Contents') } },
    'crops a page': { objects: { 3: page.replace('595 842', '595 400') } },
    'crops every page': { objects: { 2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2/CropBox[0 0 595 400]>>' } },
    'replaces the font': {
      objects: { 5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[49/nine]>>>>' },
    },
    'shortens a stream by its length': { objects: { 8: '20' } },
    'adds the object of a missing reference': { objects: { 30: stream('BT (Valor: R$ 999) Tj ET') } },
    'changes where a link leads': { objects: { 13: PREPARED[13].replace('example.com', 'example.net') } },
    'changes an outline': { objects: { 18: PREPARED[18].replace('(Um)', '(Dois)') } },
    'changes the title': { objects: { 41: '<</Title(Outro)>>' }, trailer: '/Info 41 0 R' },
    'makes readers redraw the fields': { objects: { 10: form.replace('/DA', '/NeedAppearances true/DA') } },
    'adds an XFA form': { objects: { 10: form.replace('/DA', '/XFA 9 0 R/DA') } },
    'changes the appearance of a field and not its value': {
      objects: { 12: PREPARED[12].replace('(100)', '(999)') },
    },
    'moves a field': { objects: { 11: PREPARED[11].replace('50 600', '10 600') } },
    'fills a field in and moves it': {
      objects: { 11: PREPARED[11].replace('50 600', '10 600').replace('V()', 'V(999)') },
    },
    'gives a field another parent': { objects: { 11: PREPARED[11].replace('/FT', '/Parent 10 0 R/FT') } },
    'gives the page tree a parent': {
      objects: { 2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2/Parent 21 0 R>>' },
    },
    'has a key twice': { objects: { 1: catalog.replace('/Pages', '/Pages 21 0 R/Pages') } },
  },
  'Shadow attack (hide): an update removes an object that hid or showed something': {
    'removes a page from the tree': { objects: { 2: '<</Type/Pages/Kids[3 0 R]/Count 1>>' } },
    'removes what hid the text': { objects: { 7: OVERLAY.replace('0 0 200 50 re f', '               ') } },
    'frees the object that hid the text': { objects: { 7: null } },
    'removes an annotation': { objects: { 3: page.replace('11 0 R 13 0 R', '11 0 R') } },
    'gives a page an empty list of kids': {
      objects: { 3: page.replace('/Contents', '/Kids[]/Contents') },
    },
    'makes a group of a field': {
      objects: {
        11: PREPARED[11].replace('/FT/Tx', '/FT/Tx/Kids[40 0 R]'),
        40: '<</FT/Sig/T(more)/Parent 11 0 R>>',
      },
    },
    'removes a field': { objects: { 10: form.replace('11 0 R', '') } },
    'removes the form': { objects: { 1: catalog.replace('/AcroForm 10 0 R', '') } },
  },
  'Shadow attack (hide-and-replace): an update switches to objects that were signed along': {
    'switches to another catalog that was signed along': { objects: {}, root: '20 0 R' },
    'switches to another page tree that was signed along': {
      objects: { 1: catalog.replace('Pages 2 0 R', 'Pages 21 0 R') },
    },
    'points an object to another that was signed along': { objects: {}, moved: { 4: offsetOf(23) } },
    'names two catalogs in its trailer': { objects: {}, root: '20 0 R/Root 1 0 R' },
    'adds a page without counting it': { objects: { 2: '<</Type/Pages/Kids[3 0 R 6 0 R 22 0 R]/Count 2>>' } },
    'adds a page': { objects: { 2: '<</Type/Pages/Kids[3 0 R 6 0 R 22 0 R]/Count 3>>' } },
    'swaps two pages': { objects: { 2: '<</Type/Pages/Kids[6 0 R 3 0 R]/Count 2>>' } },
  },
  'Evil annotation attack: an update adds content over the text': {
    'adds an annotation over the text': { objects: { 3: longer(page, 'Annots', 40), 40: FREE_TEXT } },
    'adds an annotation under the others': {
      objects: { 3: page.replace('11 0 R', '40 0 R 11 0 R'), 40: FREE_TEXT },
    },
    'adds a text field': withField(
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(more)/V(999)/Rect[50 740 300 790]/P 3 0 R>>',
    ),
    'writes a field into the form itself': {
      objects: { 10: form.replace('[11 0 R', '[11 0 R<</FT/Tx/T(more)/V(999)>>') },
    },
    'adds a note that is also a signature field': withField(
      FREE_TEXT.replace('/Type/Annot', '/Type/Annot/FT/Sig/T(more)'),
    ),
    'gives a field a second widget': {
      objects: {
        3: longer(page, 'Annots', 40),
        11: PREPARED[11].replace('/FT/Tx', '/FT/Tx/Kids[40 0 R]'),
        40: '<</Type/Annot/Subtype/Widget/Parent 11 0 R/Rect[50 740 300 790]/P 3 0 R/AP<</N 12 0 R>>>>',
      },
    },
  },
  'Sneaky signature attack: an update adds a signature field that shows something': {
    'adds a visible signature field that is not signed': withField(
      '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/Rect[50 740 300 790]/P 3 0 R/AP<</N 12 0 R>>>>',
    ),
    'adds a visible signature field at a place that only some readers accept': withField(
      '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/Rect[--0 0 300 790]/P 3 0 R/AP<</N 12 0 R>>>>',
    ),
    'adds a visible signature field without a place': withField(
      '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/P 3 0 R/AP<</N 12 0 R>>>>',
    ),
    'adds a field with an empty signature': withField(
      '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/V 41 0 R/Rect[50 740 300 790]/P 3 0 R/AP<</N 12 0 R>>>>',
      { 41: '<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 0 0 0]/Contents<00>>>' },
    ),
    'adds a field with the signature of another': withField(
      `<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/V ${signatureRef}/Rect[50 740 300 790]/P 3 0 R/AP<</N 12 0 R>>>>`,
    ),
    'adds a signature field with a background': withField(
      '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/Rect[50 740 300 790]/P 3 0 R/MK<</BG[1 1 1]>>>>',
    ),
    'hides behind more fields than are reported': {
      objects: {
        4: stream('BT (Valor: R$ 999) Tj ET'),
        10: MANY.reduce((body, id) => longer(body, 'Fields', id), form),
        ...Object.fromEntries(MANY.map((id) => [id, `<</FT/Sig/T(f${id})/Rect[0 0 0 0]>>`])),
      },
    },
    'adds a signature field with a border as wide as a page': withField(
      '<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/Rect[50 740 300 790]/P 3 0 R/MK<</BC[1 1 1]>>/BS<</W 41 0 R>>>>',
      { 41: '200' },
    ),
    'adds a signature field with another field as its parent': withField(
      '<</FT/Sig/T(more)/Parent 11 0 R/Rect[0 0 0 0]>>',
    ),
  },
  'Scripts and permissions': {
    'opens with a script': {
      objects: { 1: catalog.replace('/Pages', '/OpenAction<</S/JavaScript/JS(app.alert(1))>>/Pages') },
    },
    'names a script': { objects: { 16: '<</JavaScript<</Names[(a)<</S/JavaScript/JS(x)>>]>>>>' } },
    'certifies afterwards': {
      objects: { 1: catalog.replace('/Pages', '/Perms<</DocMDP 40 0 R>>/Pages'), 40: '<<>>' },
    },
  },
};

describe.each(Object.entries(ATTACKS))('%s. It is a modification when the update', (_, attacks) => {
  test.each(Object.entries(attacks))('%s', async (_, attack) => {
    const attacked = appendUpdate(signed, attack);
    expect(attacked.equals(signed)).toBe(false);
    const report = await verify(attacked);
    expect(report.valid).toBe(false);
    const [signature] = report.signatures;
    expect(signature?.unmodified).toBe(false);
    // The signed bytes are intact: only the document is not.
    expect(signature?.intact).toBe(true);
    expect(signature?.changes.some(({ kind }) => kind === 'modification')).toBe(true);
    expect(signature?.results.errors.map(({ message }) => message).join()).toContain(
      'changed after it was signed',
    );
  });
});

describe('incremental saving attack: appended bytes that no table lists do not pass when they are', () => {
  const late = `4 0 obj\n${stream('BT (Valor: R$ 999) Tj ET')}\nendobj\n`;
  const forged = appendUpdate(signed, { objects: { 40: '<<>>' } });
  test.each([
    ['an object alone', Buffer.concat([signed, Buffer.from(late)])],
    ['words', Buffer.concat([signed, Buffer.from('and more')])],
    ['a trailer alone', Buffer.concat([signed, Buffer.from('trailer\n<</Root 20 0 R>>\n%%EOF\n')])],
    [
      'an object before a table that does not list it',
      appendUpdate(Buffer.concat([signed, Buffer.from(late)]), { objects: { 40: '<<>>' } }),
    ],
    ['an object after the end of the file', Buffer.concat([forged, Buffer.from(late)])],
  ])('%s', async (_, attacked) => {
    const report = await verify(attacked);
    expect(report.valid).toBe(false);
    expect(messagesOf(report).join()).toContain('no cross-reference accounts for');
  });

  test('except the line end that some programs add', async () => {
    expect((await verify(Buffer.concat([signed, Buffer.from('\r\n')]))).valid).toBe(true);
  });
});

test('incremental saving attack: a table that bypasses the signed document does not pass, though it shows the same', async () => {
  const text = signed.toString('latin1');
  const last = [...text.matchAll(/xref\n0 (\d+)\n/g)][0];
  const offsets = new Map<number, number>();
  for (const match of text.matchAll(/\n(\d+) 0 obj\n/g))
    offsets.set(Number(match[1]), (match.index ?? 0) + 1);
  const size = Math.max(...offsets.keys()) + 1;
  const rows = Array.from({ length: size }, (_, id) => entry(offsets.get(id))).join('');
  expect(last).toBeDefined();
  const table = `xref\n0 ${size}\n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${signed.length}\n%%EOF\n`;
  const report = await verify(Buffer.concat([signed, Buffer.from(table)]));
  expect(report.valid).toBe(false);
  expect(messagesOf(report).join()).toContain('no longer builds on');
});

test('a signature that is removed again is reported', async () => {
  const twice = await signPades(signed, person, OPTIONS);
  const attacked = appendUpdate(twice, { objects: { 10: bodyOf(signed, 10), 3: page } });
  const report = await verify(attacked);
  expect(report.valid).toBe(false);
  expect(report.signatures.map(({ valid }) => valid)).toEqual([true, false]);
  expect(messagesOf(report).join()).toContain('removed from the document');
});

test('sneaky signature attack: a field with the signature of another modifies the earlier document', async () => {
  const twice = await signPades(signed, company, OPTIONS);
  const fields = bodyOf(twice, 10);
  const last = Number(/(\d+) 0 R\]/.exec(fields)?.[1]);
  const borrowed = /\/V (\d+ 0 R)/.exec(bodyOf(twice, last))?.[1];
  const attacked = appendUpdate(twice, {
    objects: {
      3: longer(bodyOf(twice, 3), 'Annots', 40),
      10: longer(fields, 'Fields', 40),
      40: `<</Type/Annot/Subtype/Widget/FT/Sig/T(more)/V ${borrowed}/Rect[50 740 300 790]/P 3 0 R/AP<</N 12 0 R>>>>`,
    },
  });
  const { signatures } = await verify(attacked);
  expect(signatures.map(({ intact, unmodified }) => [intact, unmodified])).toEqual([
    [true, false],
    [true, false],
  ]);
});
