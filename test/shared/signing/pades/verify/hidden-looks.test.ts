import { describe, expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { inMemory, verifyFile } from '../../../../../shared/signing/verification/verify-file.ts';
import { pki } from '../../cms/fixtures.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { company, OPTIONS, person } from '../parties.ts';
import { appendUpdate, bodyOf } from '../tamper.ts';

// Shadow attacks (hide, replace) by what a field or a later signature shows, and by what the page below shows.
type Bodies = Readonly<Record<number, string>>;
const stream = (content: string, entries = ''): string =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;
const form = (content: string, resources = '', box = '0 0 200 20'): string =>
  stream(content, `/Type/XObject/Subtype/Form/BBox[${box}]/Resources<</Font<</Helv 5 0 R>>${resources}>>`);
const text = (value: string): string => `BT /Helv 12 Tf 2 5 Td (${value}) Tj ET`;
const COVER = form(`1 g 0 0 200 20 re f 0 g ${text('9')}`);
const PATTERN = stream(
  'BT /H 12 Tf 52 605 Td (100) Tj ET',
  '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 595 842]/XStep 595/YStep 842/Resources<</Font<</H 5 0 R>>>>',
);
const MASK = stream(
  '1 g BT /H 12 Tf 52 605 Td (100) Tj ET',
  '/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</H 5 0 R>>>>/Group<</S/Transparency/CS/DeviceGray>>',
);
const MASKED = '/ExtGState<</G<</SMask<</S/Luminosity/G 71 0 R>>>>>>';
const SCAN =
  '<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>\nstream\n\xff\nendstream';
const WORD = `50 602 m ${Array.from({ length: 30 }, (_, at) => `${50 + 6 * at} ${at % 2 ? 618 : 602} l`).join(' ')} S`;

/** A page with a field of this place and these entries, and what else it draws. */
const page = (
  field: string,
  { content = '', resources = '', entries = '', annots = '', more = {} as Bodies } = {},
): Bodies => ({
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R>>',
  3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${entries}/Resources<</Font<</F1 5 0 R/Own 74 0 R>>/XObject<</Scan 73 0 R>>${resources}>>/Contents 4 0 R/Annots[11 0 R ${annots}]>>`,
  4: stream(`BT /F1 18 Tf 50 760 Td (Valor: R$ 100) Tj ET ${content}`),
  10: '<</Fields[11 0 R]/DR<</Font<</Helv 5 0 R>>>>/DA(/Helv 12 Tf 0 g)>>',
  11: field,
  70: PATTERN,
  71: MASK,
  73: SCAN,
  74: '<</Type/Font/Subtype/Type3/FontBBox[0 0 0 0]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 75 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<</Font<</F1 5 0 R>>>>>>',
  75: stream('1 0 d0 BT /F1 12 Tf 52 605 Td (100) Tj ET'),
  ...more,
});
const ROOM = '/Rect[50 600 250 620]';
const widget = (type: string, rect = ROOM, flags = 4): string =>
  `<</Type/Annot/Subtype/Widget${rect}/P 3 0 R/F ${flags}/FT/${type}/T(name)>>`;
const withMore = (body: string, more: string): string => body.replace(/>>$/, `${more}>>`);

const trust = { anchors: [pki.root.certificate], revocation: 'skip' } as const;
const verify = async (file: Buffer) => {
  const report = await verifyFile(inMemory(file), { trust, atMs: Date.now() });
  const kinds = report.signatures.flatMap(({ changedParts }) => changedParts.map(({ kind }) => kind));
  return { outcome: report.outcome, kinds: [...new Set(kinds)] };
};
const changed = async (document: Bodies, objects: Bodies) =>
  verify(appendUpdate(await signPades(buildPdf(document), person, OPTIONS), { objects }));
const filled = (document: Bodies, value: string, look: string, more: Bodies = {}) =>
  changed(document, { 11: withMore(document[11] ?? '', `/V(${value})/AP<</N 60 0 R>>`), 60: look, ...more });

const UNCLEAR = { outcome: 'undetermined', kinds: ['overlay', 'form-filling'] };
const FILLED = { outcome: 'valid', kinds: ['form-filling'] };

describe('a look that shows something else than its value is left to a person to judge:', () => {
  test.each<[string, string, Bodies?]>([
    ['a pattern', form('/Pattern cs /P scn 0 0 200 20 re f', '/Pattern<</P 70 0 R>>')],
    ['a surface through a mask', form('/G gs 0 g 0 0 200 20 re f', MASKED)],
    ['a surface through a text', form(`7 Tr ${text('999')} 0 g 0 0 200 20 re f`)],
    ['a surface through several rectangles', form('2 2 3 16 re 9 2 3 16 re W n 0 0 200 20 re f')],
    ['a word of one line', form(WORD.replace(/6(\d\d)/g, '$1').replace(/\b50 /, '0 '))],
    [
      'figures of straight lines',
      form('2 w 20 2 m 30 2 l 30 18 l 20 18 l S 40 2 m 50 2 l 50 18 l 40 18 l S'),
    ],
    ['bars', form('20 3 3 14 re f 30 3 3 14 re f')],
    ['a picture that readers look for on the page', form('200 0 0 20 0 0 cm /Scan Do')],
    [
      'one behind many references',
      '61 0 R',
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [61 + at, at < 8 ? `${62 + at} 0 R` : COVER])),
    ],
  ])('%s', async (_, look, more = {}) => {
    expect(await filled(page(widget('Tx')), 'Maria', look, more)).toEqual(UNCLEAR);
  });

  test('but a clip of one rectangle, as every program writes it, changes nothing', async () => {
    const look = form(`/Tx BMC q 1 1 198 18 re W n ${text('Maria')} Q EMC`);
    expect(await filled(page(widget('Tx')), 'Maria', look)).toEqual(FILLED);
  });
});

const BELOW: [string, Parameters<typeof page>[1]][] = [
  ['a pattern', { content: '/Pattern cs /P scn 0 0 595 842 re f', resources: '/Pattern<</P 70 0 R>>' }],
  ['a surface through a mask', { content: '/G gs 0 g 0 0 595 842 re f', resources: MASKED }],
  [
    'a surface through a text',
    { content: 'q BT /F1 12 Tf 7 Tr 52 605 Td (100) Tj ET 0 g 0 0 595 842 re f Q' },
  ],
  ['a surface through a path', { content: 'q 55 604 3 12 re 61 604 3 12 re W n 0 0 595 842 re f Q' }],
  ['a word of one line', { content: WORD }],
  ['the lower half of large letters', { content: 'BT /F1 72 Tf 50 570 Td (NO 8) Tj ET' }],
  ['a glyph that is drawn far from its letter', { content: 'BT /Own 1 Tf (a) Tj ET' }],
  [
    'a part of a text that was added',
    {
      annots: '12 0 R',
      more: { 12: '<</Type/Annot/Subtype/FreeText/Rect[0 600 90 620]/F 4/Contents(Pague 100)>>' },
    },
  ],
  [
    'the look of a field without a value',
    {
      annots: '12 0 R',
      more: {
        12: `<</Type/Annot/Subtype/Widget${ROOM}/F 4/FT/Tx/AP<</N 13 0 R>>>>`,
        13: form(text('100')),
      },
    },
  ],
];

test('the end of an option and the start of another are no options of a list', async () => {
  const list = withMore(widget('Ch'), '/Opt[(Do not pay 1)(000 today)(x)]');
  expect(await filled(page(list), 'x', form(text('pay 1000 today')))).toEqual(UNCLEAR);
  expect(await filled(page(list), 'x', form(`${text('000 today')}${text('x')}`))).toEqual(FILLED);
});

test('nobody fills in a group, whose value its fields inherit', async () => {
  const kid = '<</Type/Annot/Subtype/Widget/Rect[0 0 595 842]/P 3 0 R/F 4/T(kid)/Parent 12 0 R>>';
  const group = '<</FT/Tx/T(group)/Kids[11 0 R]>>';
  const document = page(kid, { more: { 12: group } });
  const asGroup = { ...document, 10: (document[10] ?? '').replace('[11 0 R]', '[12 0 R]') };
  expect((await changed(asGroup, { 12: withMore(group, '/V(999)') })).outcome).toBe('invalid');
});

describe('what a page shows is not covered by', () => {
  test.each(BELOW)('a field that is filled in: %s', async (_, below) => {
    expect(await filled(page(widget('Tx'), below), '9', COVER)).toEqual(UNCLEAR);
  });

  test.each(BELOW)('the look of a later signature, without a warning: %s', async (_, below) => {
    const document = page(widget('Sig'), below);
    const first = await signPades(buildPdf(document), person, OPTIONS);
    const objects = { 11: withMore(document[11] ?? '', '/AP<</N 60 0 R>>'), 60: COVER };
    const both = await signPades(appendUpdate(first, { objects }), company, { ...OPTIONS, field: 'name' });
    expect(await verify(both)).toEqual({ outcome: 'valid', kinds: ['covering-signature'] });
  });

  const PLACES: [string, string, string?][] = [
    ['that readers take for the page', widget('Tx', '/Rect[0 0 595]')],
    ['that is missing', widget('Tx', '')],
    ['that it leaves on a turned page', widget('Tx', ROOM, 20), '/Rotate 90'],
    ['that it leaves on a small page', widget('Tx', ROOM, 12), '/UserUnit 0.1'],
  ];
  test.each(PLACES)('a field or signature with a place %s', async (_, field, entries = '') => {
    expect(await filled(page(field, { entries }), '9', COVER)).toEqual(UNCLEAR);
    const document = page(field.replace('/FT/Tx', '/FT/Sig'), { entries });
    const first = await signPades(buildPdf(document), person, OPTIONS);
    const objects = { 11: withMore(document[11] ?? '', '/AP<</N 60 0 R>>'), 60: COVER };
    const both = await signPades(appendUpdate(first, { objects }), company, { ...OPTIONS, field: 'name' });
    expect((await verify(both)).kinds).toEqual(['covering-signature']);
  });

  test.each([
    ['transparent', form('/G gs 1 g 0 0 200 20 re f', '/ExtGState<</G<</ca 0>>>>')],
    ['cut off', form('0 0 1 1 re W n 1 g 0 0 200 20 re f')],
    ['in a colour that is none', form('/N cs 1 scn 0 0 200 20 re f', '/ColorSpace<</N[/Separation/None]>>')],
    ['in a layer', form('/OC /L BDC 1 g 0 0 200 20 re f EMC', '/Properties<</L<</Type/OCG/Name(x)>>>>')],
    ['in a form of a layer', form('/F Do', '/XObject<</F 62 0 R>>')],
  ])('a background that was %s when it was signed', async (_, signed) => {
    const document = page(withMore(widget('Tx'), '/AP<</N 61 0 R>>'), {
      content: 'q 300 0 0 60 40 580 cm /Scan Do Q',
      more: { 61: signed, 62: stream('1 g 0 0 200 20 re f', '/Subtype/Form/BBox[0 0 200 20]/OC<<>>') },
    });
    const objects = { 11: withMore(widget('Tx'), '/V(9)/AP<</N 60 0 R>>'), 60: COVER };
    expect(await changed(document, objects)).toEqual(UNCLEAR);
  });
});

test.each(['/BC[1]', '/BC[0]', '/BG[1]', '/CA(999)'])(
  'an empty signature field that readers draw (%s) may not be added, as frames wipe a text out or write one',
  async (mark) => {
    const file = await signPades(buildPdf(ONE_PAGE), person, OPTIONS);
    const frame = withMore(widget('Sig', '/Rect[50 764 165 768]'), `/MK<<${mark}>>/BS<</W 3>>`);
    const enter = (id: number, key: string): string =>
      bodyOf(file, id).replace(new RegExp(`/${key}\\s*\\[`), '$&80 0 R ');
    const form = Number(/AcroForm (\d+) 0 R/.exec(bodyOf(file, 1))?.[1]);
    const objects = { 3: enter(3, 'Annots'), [form]: enter(form, 'Fields'), 80: frame };
    expect((await verify(appendUpdate(file, { objects }))).kinds).toEqual(['modification']);
  },
);

describe('what a field showed when it was signed', () => {
  test('is not replaced, although the field had no value', async () => {
    const document = page(withMore(widget('Tx'), '/AP<</N 61 0 R>>'), { more: { 61: form(text('100')) } });
    const objects = { 11: withMore(widget('Tx'), '/V(9)/AP<</N 60 0 R>>'), 60: form(text('9')) };
    expect(await changed(document, objects)).toEqual(UNCLEAR);
  });

  test('comes not back when readers are no longer told to draw values anew', async () => {
    const document = (look: string): Bodies => {
      const bodies = page(withMore(widget('Tx'), '/V(100)/AP<</N 61 0 R>>'), { more: { 61: form(look) } });
      return { ...bodies, 10: withMore(bodies[10] ?? '', '/NeedAppearances true') };
    };
    const judge = async (look: string) => {
      const file = await signPades(buildPdf(document(look)), person, OPTIONS);
      const objects = { 10: bodyOf(file, 10).replace('/NeedAppearances true', '') };
      return verify(appendUpdate(file, { objects }));
    };
    expect(await judge(text('999'))).toEqual({ outcome: 'undetermined', kinds: ['overlay'] });
    for (const look of [text('100'), '', `1 g 0 0 200 20 re f ${text('100')}`])
      expect(await judge(look)).toEqual({ outcome: 'valid', kinds: [] });
  });
});
