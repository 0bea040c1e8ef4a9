import { afterAll, describe, expect, test } from 'vitest';
import type { Increment } from '../../../../../shared/signing/pades/pdf/increment.ts';
import { type PdfRef, print, ref } from '../../../../../shared/signing/pades/pdf/values.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { pki } from '../../cms/fixtures.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { appendSignedSave } from '../forge.ts';
import { missingTools, openJudges } from '../judges.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { appendUpdate, bodyOf } from '../tamper.ts';

// A form as Acrobat makes it: a filled-in text field, and an empty signature field.
const FORM = {
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R>>',
  3: ONE_PAGE[3].replace('/Contents', '/Annots[11 0 R 13 0 R 14 0 R]/Contents'),
  10: '<</Fields[11 0 R 13 0 R]/DR<</Font<</F1 5 0 R>>/ProcSet[/PDF]>>/DA(/F1 0 Tf 0 g)>>',
  11: '<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)/V(100)/DA(/Helv 12 Tf 0 g)/Rect[50 600 200 620]/P 3 0 R/F 4/AP<</N 12 0 R>>>>',
  12: '<</Type/XObject/Subtype/Form/BBox[0 0 150 20]/Resources<</Font<</Helv 5 0 R>>>>/Length 39>>\nstream\nBT /Helv 12 Tf 2 5 Td (100) Tj ET      \nendstream',
  13: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Seller)/Rect[50 50 250 110]/P 3 0 R/F 4>>',
  14: '<</Type/Annot/Subtype/FreeText/Rect[50 500 200 520]/P 3 0 R/F 4/DA(/No#74e 12 Tf 0 g)/Contents(Nota)>>',
  90: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[48/nine/nine]>>>>',
  91: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 0>>\nstream\n\nendstream',
  92: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 5>>\nstream\n0 g  \nendstream',
};
type Bodies = Readonly<Record<number, string>>;
const ODD = '90 0 R';

const signedWith = (bodies: Bodies = {}): Promise<Buffer> =>
  signPades(buildPdf({ ...FORM, ...bodies }), person, OPTIONS);
const signed = await signedWith();

/** The outcome after an update that replaces these texts in the form. */
const outcomeOfForm = async (changes: readonly [string, string][], file = signed) => {
  const form = changes.reduce(
    (body, [from, to]) => {
      expect(body).toContain(from);
      return body.replace(from, to);
    },
    bodyOf(file, 10),
  );
  const report = await verify(appendUpdate(file, { objects: { 10: form } }));
  return { valid: report.valid, messages: messagesOf(report) };
};
const CHANGED = {
  valid: false,
  messages: [
    'modification: The form was changed.',
    'The document was changed after it was signed. The form was changed.',
  ],
};
const UNCHANGED = { valid: true, messages: [] };
const addFont = (name: string): [string, string] => ['/F1 5 0 R', `/F1 5 0 R/${name} ${ODD}`];

describe('the resources of a form (/DR)', () => {
  test.each<[string, [string, string]]>([
    ['a font under a name that nothing uses', addFont('CoBo')],
    ['another kind of resource', ['/DR <<', '/DR <</Encoding<</PDFDocEncoding 90 0 R>>']],
    ['the picture of a visible signature', ['/DR <<', '/DR <</XObject<</FRM 91 0 R>>']],
    ['other procedure sets', ['[/PDF]', '[/PDF/Text]']],
  ])('may gain %s', async (_, change) => {
    expect(await outcomeOfForm([change])).toEqual(UNCHANGED);
  });

  test('may have another picture for the next visible signature', async () => {
    const file = await signedWith({ 10: FORM[10].replace('/DR<<', '/DR<</XObject<</FRM 91 0 R>>') });
    expect(await outcomeOfForm([['91 0 R', '92 0 R']], file)).toEqual(UNCHANGED);
    const drawn = FORM[11].replace('0 g)', '0 g /FRM Do)');
    const used = await signedWith({
      10: FORM[10].replace('/DR<<', '/DR<</XObject<</FRM 91 0 R>>'),
      11: drawn,
    });
    expect((await outcomeOfForm([['91 0 R', '92 0 R']], used)).valid).toBe(false);
  });

  // Shadow attack (replace): a value that the reader draws has other letters.
  test.each<[string, [string, string]]>([
    ['gain the font that a field names', addFont('Helv')],
    ['gain the font that a field names in another spelling', addFont('H#65lv')],
    ['gain the font that a note names', addFont('Note')],
    ['exchange a font', ['/F1 5 0 R', `/F1 ${ODD}`]],
    ['lose a font', ['/F1 5 0 R', '']],
    ['go away', ['/DR', '/RD']],
  ])('may not %s', async (_, change) => {
    expect((await outcomeOfForm([change])).valid).toBe(false);
  });

  test('may not gain the font that the form names for a field that names none', async () => {
    const bodies = {
      10: FORM[10].replace('/F1 0 Tf', '/Other 0 Tf'),
      11: FORM[11].replace('/DA(/Helv 12 Tf 0 g)', ''),
    };
    expect(await outcomeOfForm([addFont('Other')], await signedWith(bodies))).toEqual(CHANGED);
    expect(await outcomeOfForm([addFont('CoBo')], await signedWith(bodies))).toEqual(UNCHANGED);
  });

  test('may not change at all where readers draw every field anew', async () => {
    const file = await signedWith({ 10: FORM[10].replace('/DA', '/NeedAppearances true/DA') });
    expect(await outcomeOfForm([addFont('CoBo')], file)).toEqual(CHANGED);
    const turnedOn: [string, string] = ['/DA', '/NeedAppearances true/DA'];
    expect(await outcomeOfForm([addFont('CoBo'), turnedOn])).toEqual(CHANGED);
  });

  test('may change where readers have no field to draw', async () => {
    const form = '<</Fields[13 0 R]/NeedAppearances true/DR<</Font<</F1 5 0 R>>>>/DA(/F1 0 Tf 0 g)>>';
    const file = await signedWith({ 10: form, 11: '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>' });
    expect(await outcomeOfForm([addFont('Helv'), ['/F1 0 Tf', '/Helv 0 Tf']], file)).toEqual(UNCHANGED);
  });

  test('may not change at all where the signer allows no change', async () => {
    const file = await signPades(buildPdf(FORM), person, { ...OPTIONS, certify: 1 });
    expect(await outcomeOfForm([addFont('CoBo')], file)).toEqual(CHANGED);
  });
});

describe('the default appearance of a form (/DA)', () => {
  test.each(['/DA (/Helv 0 Tf 0 g)', ''])('may become "%s" where every field has its own', async (to) => {
    expect(await outcomeOfForm([['/DA (/F1 0 Tf 0 g)', to]])).toEqual(UNCHANGED);
  });

  // Shadow attack (hide): the text becomes white, or too small to be seen.
  test.each(['/DA (/F1 0 Tf 1 g)', '/DA (/F1 1 Tf 0 g)', ''])(
    'may not become "%s" where a field has none',
    async (to) => {
      const field = FORM[11].replace('/DA(/Helv 12 Tf 0 g)', '');
      const group = { 11: field.replace('/FT', '/Parent 15 0 R/FT'), 15: '<</T(group)/Kids[11 0 R]>>' };
      const inGroup = { 10: FORM[10].replace('11 0 R', '15 0 R'), ...group };
      for (const bodies of [{ 11: field }, { 11: FORM[11].replace('/Helv 12 Tf', '') }, inGroup])
        expect((await outcomeOfForm([['/DA (/F1 0 Tf 0 g)', to]], await signedWith(bodies))).valid).toBe(
          false,
        );
      const own = { ...inGroup, 15: '<</T(group)/DA(/F1 9 Tf 0 g)/Kids[11 0 R]>>' };
      expect(await outcomeOfForm([['/DA (/F1 0 Tf 0 g)', to]], await signedWith(own))).toEqual(UNCHANGED);
    },
  );

  // Shadow attack (replace): readers draw every widget on a page, in the form or not.
  const NOTE = FORM[14].replace('/DA(/No#74e 12 Tf 0 g)', '');
  const VALUE = FORM[11].replace('/DA(/Helv 12 Tf 0 g)', '').replace('/AP<</N 12 0 R>>', '');
  test.each<[string, Bodies]>([
    ['a note that has none', { 14: NOTE }],
    ['a note that is listed as a signature field', { 13: NOTE.replace('/Type', '/FT/Sig/T(Seller)/Type') }],
    ['a value that the form does not list', { 14: VALUE }],
    [
      'a value whose field is no object',
      { 14: VALUE, 10: FORM[10].replace('13 0 R]', '<</Kids[14 0 R]>>]') },
    ],
    ['a value whose field has an empty list of kids', { 11: VALUE.replace('/FT', '/Kids[]/FT') }],
    ['a page that is no object', { 2: `<</Type/Pages/Kids[3 0 R ${ONE_PAGE[3]}]/Count 2>>` }],
  ])('may not change where it could draw %s', async (_, bodies) => {
    expect((await outcomeOfForm([['0 Tf 0 g', '0 Tf 1 g']], await signedWith(bodies))).valid).toBe(false);
  });

  test('may not change where readers draw every field anew', async () => {
    const file = await signedWith({ 10: FORM[10].replace('/DA', '/NeedAppearances true/DA') });
    expect(await outcomeOfForm([['0 Tf 0 g', '0 Tf 1 g']], file)).toEqual(CHANGED);
  });
});

const judges = missingTools().length === 0 ? openJudges(pki.root.certificate) : undefined;
afterAll(() => judges?.close());

test.runIf(judges)('a font that a form gains under a name that nothing uses draws nothing else', () => {
  const bare = buildPdf({ ...FORM, 11: FORM[11].replace('/AP<</N 12 0 R>>', '') });
  const grown = appendUpdate(bare, { objects: { 10: FORM[10].replace(...addFont('CoBo')) } });
  expect(judges?.inkBox(grown)).toEqual(judges?.inkBox(bare));
  expect(judges?.text(grown)).toBe(judges?.text(bare));
  expect(judges?.text(bare)).toContain('100');
});

describe('an empty field that somebody signs', () => {
  const messagesWithFlags = async (before: string, after: string, bodies: Bodies = {}) => {
    const file = await signedWith({ 13: FORM[13].replace('/F 4', before), ...bodies });
    const save = (update: Increment, signature: PdfRef): void => {
      update.put(ref(13), FORM[13].replace('/F 4', `${after}/V ${print(signature)}`));
    };
    const [first] = (await verify(await appendSignedSave(file, save, company))).signatures;
    return first?.changes.map(({ what }) => what);
  };
  const SIGNED = 'An empty field was signed: "Seller".';

  test.each([
    ['/F 4', '/F 132'],
    ['/F 4', '/F 644'],
    ['', '/F 128'],
    ['/F 132', '/F 132'],
  ])('may be locked by it: "%s" becomes "%s"', async (before, after) => {
    expect(await messagesWithFlags(before, after)).toEqual([SIGNED]);
  });

  // Shadow attack (hide): the field is locked, and also hidden or shown on screen or paper.
  test.each([
    ['is hidden too', '/F 4', '/F 134'],
    ['is not viewed any more', '/F 4', '/F 164'],
    ['is not printed any more', '/F 4', '/F 128'],
    ['is printed from now on', '', '/F 132'],
    ['is hidden no longer', '/F 6', '/F 132'],
    ['is not locked any more', '/F 132', '/F 4'],
    ['has flags that stand elsewhere', '/F 4', '/F 8 0 R'],
    ['has flags below zero', '/F 4', '/F -124'],
  ])('may not change so that it %s', async (_, before, after) => {
    const messages = await messagesWithFlags(before, after, { 8: '132' });
    expect(messages?.[0]).toContain('The field "Seller" was changed.');
  });

  test('is not locked without being signed', async () => {
    const locked = FORM[13].replace('/F 4', '/F 132');
    const report = await verify(appendUpdate(signed, { objects: { 13: locked } }));
    expect(report.signatures[0]?.unmodified).toBe(false);
  });
});
