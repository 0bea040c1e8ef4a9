import { describe, expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { inMemory, verifyFile } from '../../../../../shared/signing/verification/verify-file.ts';
import { pki } from '../../cms/fixtures.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { appendUpdate, bodyOf } from '../tamper.ts';

// Shadow attack (replace): what a field is "filled in" with shows another document.
const FONTS =
  '/Resources<</Font<</Helv 5 0 R/Face 40 0 R/Zapf 41 0 R/Own 42 0 R>>/XObject<</Picture 43 0 R>>>>';
const form = (content: string, box = '0 0 200 20', more = FONTS): string =>
  `<</Type/XObject/Subtype/Form/BBox[${box}]${more}/Length ${content.length}>>\nstream\n${content}\nendstream`;
const text = (value: string, font = 'Helv'): string =>
  `/Tx BMC q BT /${font} 12 Tf 0 g 2 5 Td (${value}) Tj ET Q EMC`;
const widget = (rect: string, more: string): string =>
  `<</Type/Annot/Subtype/Widget/Rect[${rect}]/P 3 0 R/F 4${more}>>`;

const PAGE_TEXT =
  'BT /F1 18 Tf 50 760 Td (Valor: R$ 100) Tj ET BT /F1 12 Tf 10 604 Td (Nome:) Tj 40 0 Td (______________) Tj ET';
const BOXES = ' 0.5 w 50 520 200 20 re S 50 560 200 20 re S q 60 0 0 60 400 400 cm /Scan Do Q';
const PAGE = `${PAGE_TEXT}${BOXES}`;
const IDS = [11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28, 35, 36];
const list = (ids: readonly number[]): string => ids.map((id) => `${id} 0 R`).join(' ');

const BODIES: Readonly<Record<number, string>> = {
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R>>',
  3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>/XObject<</Scan 43 0 R>>>>/Contents 4 0 R/Annots[${list(IDS)}]>>`,
  4: `<</Length ${PAGE.length}>>\nstream\n${PAGE}\nendstream`,
  10: `<</Fields[${list([11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 26, 27, 28, 35, 36])}]/DR<</Font<</Helv 5 0 R>>>>/DA(/Helv 12 Tf 0 g)>>`,
  11: widget('0 0 595 842', '/FT/Tx/T(notes)/Ff 4096'),
  12: widget('50 600 250 620', '/FT/Tx/T(name)/MaxLen 30'),
  13: widget('50 560 250 580', '/FT/Tx/T(total)/Ff 1/V(100)/AP<</N 30 0 R>>'),
  14: widget('50 520 250 540', '/FT/Ch/T(state)/Ff 131072/Opt[(SP)[(RJ)(Rio de Janeiro)]]'),
  15: widget('50 490 250 510', '/FT/Ch/T(city)/Ff 393216/Opt[(Santos)(Campinas)]'),
  16: widget('50 470 60 480', '/FT/Btn/T(agree)/AS/Off/V/Off/AP<</N<</Yes 31 0 R/Off 32 0 R>>>>'),
  17: '<</FT/Btn/T(plan)/Ff 49152/Kids[18 0 R 19 0 R]>>',
  18: widget('50 450 60 460', '/Parent 17 0 R/AS/Off/AP<</N<</A 31 0 R/Off 32 0 R>>>>'),
  19: widget('70 450 80 460', '/Parent 17 0 R/AS/Off/AP<</N<</B 31 0 R/Off 32 0 R>>>>'),
  20: widget('0 0 595 842', '/FT/Btn/T(cover)/AS/Off/V/Off/AP<</N<</Yes 33 0 R/Off 32 0 R>>>>'),
  21: widget('50 400 250 420', '/FT/Tx/T(amount)/V(100)/AP<</N 30 0 R>>'),
  22: widget('0 0 595 842', '/FT/Ch/T(list)/Opt[(Pay 999999)(Pay 1)]'),
  23: widget('50 370 250 390', '/FT/Tx/T(price)/AA<</F<</S/JavaScript/JS(AFNumber_Format)>>>>'),
  24: '<</T(group)/Ff 1/Kids[25 0 R]>>',
  25: widget('50 340 250 360', '/FT/Tx/T(sum)/Parent 24 0 R'),
  26: widget('50 310 250 330', '/FT/Tx/T(kept)/F 580').replace('/F 4/', '/'),
  27: widget('400 400 460 420', '/FT/Tx/T(scanned)/MK<</BG[1]>>'),
  35: widget('50 250 250 270', '/FT/Tx/T(turned)/MK<</BG[0.843]/R 0>>'),
  36: widget(
    '50 230 60 240',
    '/FT/Btn/T(ticked)/AS/Off/V/Off/MK<</BC[0]/BG[1]/CA(8)>>/AP<</N<</Yes 31 0 R/Off 32 0 R>>>>',
  ),
  28: widget('50 280 250 300', '/FT/Tx/T(boxed)/MK<</BG[1]/BC[0]>>/AP<</N 34 0 R>>'),
  30: form(text('100')),
  31: form('BT /Zapf 9 Tf 1 2 Td (4) Tj ET', '0 0 10 10'),
  32: form('', '0 0 10 10'),
  33: form('1 g 0 0 595 842 re f 0 g BT /Helv 40 Tf 50 600 Td (Pay 999999) Tj ET', '0 0 595 842'),
  34: form('1 g 0 0 200 20 re f 0 G 0.5 0.5 199 19 re S'),
  40: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[48/nine/nine/nine]>>>>',
  41: '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>',
  42: '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<<>>/Encoding<</Differences[49/a]>>/FirstChar 49/LastChar 49/Widths[1]>>',
  43: '<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>\nstream\n\xff\nendstream',
};
const DOCUMENT = buildPdf(BODIES);
const approved = await signPades(DOCUMENT, person, OPTIONS);
const certified = await signPades(DOCUMENT, person, { ...OPTIONS, certify: 2 });

type Bodies = Readonly<Record<number, string>>;
const outcomeOf = async (bodies: Bodies, file = approved) => {
  const trust = { anchors: [pki.root.certificate], revocation: 'skip' } as const;
  const report = await verifyFile(inMemory(appendUpdate(file, { objects: bodies })), {
    trust,
    atMs: Date.now(),
  });
  const kinds = report.signatures.flatMap(({ changedParts }) => changedParts.map(({ kind }) => kind));
  const warnings = report.validationResults?.warnings.map(({ message }) => message) ?? [];
  return { outcome: report.outcome, kinds: [...new Set(kinds)], warnings };
};
/** A field with these entries more, or in place of its own, and without this text. */
const filled = (id: number, more: string, without = ''): Bodies => {
  const own = [...more.matchAll(/\/(V|AS|AP)(?=[\s/(<[])/g)].map(([, key]) => key);
  const body = own.reduce(
    (rest: string, key) => rest.replace(new RegExp(`/${key}(\\([^)]*\\)|/\\w+|<<.*?>>(?=/|>>$))`), ''),
    (BODIES[id] ?? '').replace(without, ''),
  );
  return { [id]: body.replace(/>>$/, `${more}>>`) };
};
const shown = (id: number, value: string, content: string, box?: string): Bodies => ({
  ...filled(id, `/V${value}/AP<</N 60 0 R>>`),
  60: form(content, box),
});

const ticked = (mark: string): Bodies => ({
  ...filled(36, `/V/Yes/AS/Yes/AP<</N<</Yes 60 0 R/Off 32 0 R>>>>${mark}`, '/MK<</BC[0]/BG[1]/CA(8)>>'),
  60: BODIES[31] ?? '',
});
const withFont: Bodies = { 10: bodyOf(approved, 10).replace('/Helv 5 0 R', '/Helv 5 0 R/ZaDb 41 0 R') };

describe('a field that a person fills in is valid, and named in the headline', () => {
  test.each<[string, string, Bodies]>([
    ['a text', 'name', shown(12, '(Maria)', text('Maria'))],
    [
      'a text on a line of underscores, with blanks',
      'name',
      shown(12, '(Ana Maria)', `${text('Ana')}${text('Maria')}`),
    ],
    ['a text that the reader draws', 'name', filled(12, '/V(Maria)')],
    ['a text with accents, in UTF-16', 'name', shown(12, '<feff004a006f00e3006f>', text('Jo\\343o'))],
    ['an option', 'state', shown(14, '(SP)', text('SP'))],
    ['an option with a text of its own', 'state', shown(14, '(RJ)', text('Rio de Janeiro'))],
    ['a text where options are only proposed', 'city', shown(15, '(Olinda)', text('Olinda'))],
    ['a tick', 'agree', filled(16, '/V/Yes/AS/Yes')],
    ['one of several', 'plan', { ...filled(17, '/V/B'), ...filled(19, '/AS/B') }],
    ['a text by pdf-lib, which notes that the field has no flags', 'name', filled(12, '/V(Maria)/Ff 0')],
    ['a number in the form of a script', 'price', shown(23, '(1234.5)', text('R$ 1.234,50'))],
    [
      'a text on the background and in the frame that it had',
      'boxed',
      shown(28, '(Maria)', `1 g 0 0 200 20 re f 0 G 0.5 0.5 199 19 re S ${text('Maria')}`),
    ],
    [
      'a text in a bevelled border that iText draws of four sides',
      'boxed',
      shown(
        28,
        '(Maria)',
        `q 0.5 g 1 19 m 199 19 l 200 20 l 0 20 l 1 19 l f Q q 0.5 g 199 19 m 199 1 l 200 0 l 200 20 l 199 19 l f Q ${text('Maria')}`,
      ),
    ],
    ['a tick that iText draws anew', 'ticked', ticked('/MK<</CA(4)>>')],
    [
      'a text by Firefox, which rounds colours and leaves out a rotation by nothing',
      'turned',
      {
        ...filled(35, '/V(Maria)/AP<</N 60 0 R>>/MK<</BG[0.84]>>', '/MK<</BG[0.843]/R 0>>'),
        60: form(text('Maria')),
      },
    ],
    [
      'an option by PDFBox, which gives the form a font',
      'city',
      { ...shown(15, '(Olinda)', text('Olinda')), ...withFont },
    ],
  ])('%s', async (_, field, bodies) => {
    for (const file of [approved, certified])
      expect(await outcomeOf(bodies, file)).toEqual({
        outcome: 'valid',
        kinds: ['form-filling'],
        warnings: [
          `Fields of the form were filled in after a signature, which does not cover what they say: "${field}".`,
        ],
      });
  });
});

describe('a field that shows something else than its value in the room for it is left to a person to judge', () => {
  const WIPED = '1 g 0 0 595 842 re f 0 g BT /Helv 40 Tf 50 600 Td (Pay 999999 to Mallory) Tj ET';
  test.each<[string, Bodies]>([
    ['a text over the page', shown(11, '(Pay 999999 to Mallory)', WIPED, '0 0 595 842')],
    ['a text over the page, without a background', shown(11, '(9)', text('9'), '0 0 595 842')],
    ['a text over the page that the reader draws', filled(11, '/V(Pay 999999)/DA(/Helv 90 Tf 0 g)')],
    ['a tick whose signed look lies over the page', filled(20, '/V/Yes/AS/Yes')],
    ['a list over the page', shown(22, '(Pay 999999)', WIPED, '0 0 595 842')],
    ['another text than its value', shown(12, '(101)', text('999999'))],
    ['more than its value', shown(12, '(101)', `${text('101')} ${text('000')}`)],
    ['its value in a font that calls a 1 a 9', shown(12, '(012)', text('012', 'Face'))],
    ['symbols', shown(12, '(nnn)', text('nnn', 'Zapf'))],
    ['letters that are drawn', shown(12, '(1)', text('1', 'Own'))],
    ['a picture', shown(12, '(Maria)', `${text('Maria')} q 200 0 0 20 0 0 cm /Picture Do Q`)],
    [
      'an inline picture',
      shown(12, '(Maria)', `${text('Maria')} q 200 0 0 20 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q`),
    ],
    ['a drawing', shown(12, '(Maria)', `${text('Maria')} 10 2 m 14 8 l 18 2 l S`)],
    ['a background over a picture', shown(27, '(9)', `1 g 0 0 60 20 re f ${text('9')}`, '0 0 60 20')],
    [
      'a line so thick that it is a background',
      shown(27, '(9)', `1 G 40 w 0 10 m 60 10 l S ${text('9')}`, '0 0 60 20'),
    ],
    [
      'a tick that is a text',
      {
        ...filled(16, '/V/Yes/AS/Yes/AP<</N<</Yes 60 0 R/Off 32 0 R>>>>'),
        60: form(text('not'), '0 0 10 10'),
      },
    ],
    ['no tick for a value that says so', filled(16, '/V/Yes/AS/Off')],
    ['a value that none of its buttons has', filled(16, '/V/Mallory')],
    ['a value that none of several buttons has', filled(17, '/V/C')],
    ['a tick for a value that says no', { ...filled(17, '/V/B'), ...filled(18, '/AS/A') }],
    ['another number than a script makes of it', shown(23, '(1000)', text('R$ 10,00'))],
    ['a look that cannot be read', shown(12, '(Maria)', text('Maria').replace('Tj', '>> Tj ]'))],
    [
      'a look in a filter that is not known',
      { ...filled(12, '/V(M)/AP<</N 60 0 R>>'), 60: form(text('M'), '0 0 9 9', '/Filter/Crypt') },
    ],
    [
      'another look under the mouse',
      { ...filled(12, '/V(1)/AP<</N 60 0 R/R 61 0 R>>'), 60: form(text('1')), 61: form(text('9')) },
    ],
  ])('%s', async (_, bodies) => {
    for (const file of [approved, certified]) {
      const { outcome, kinds } = await outcomeOf(bodies, file);
      expect([outcome, kinds]).toEqual(['undetermined', ['overlay', 'form-filling']]);
    }
  });

  test('a page that cannot be read may show anything', async () => {
    const odd = { ...BODIES, 4: '<</Filter/LZWDecode/Length 4>>\nstream\nabcd\nendstream' };
    const file = await signPades(buildPdf(odd), person, OPTIONS);
    expect((await outcomeOf(filled(12, '/V(Maria)'), file)).outcome).toBe('undetermined');
  });

  test('a value of another field is content as well', async () => {
    const under = { ...BODIES, 12: (BODIES[12] ?? '').replace('50 600 250 620', '50 400 250 420') };
    const file = await signPades(buildPdf(under), person, OPTIONS);
    const change = { 12: under[12].replace(/>>$/, '/V(9)>>') };
    expect((await outcomeOf(change, file)).outcome).toBe('undetermined');
  });
});

describe('a value that was signed', () => {
  const replaced = shown(21, '(999999)', text('999999'));

  test('may be replaced only where the signer certified the form for it', async () => {
    expect(await outcomeOf(replaced)).toMatchObject({
      outcome: 'undetermined',
      kinds: ['overlay', 'form-filling'],
    });
    expect(await outcomeOf(replaced, certified)).toMatchObject({ outcome: 'valid', kinds: ['form-filling'] });
    const file = appendUpdate(approved, { objects: replaced });
    expect(messagesOf(await verify(file)).at(-1)).toBe(
      'The field "amount" had another value when it was signed. Compare the page with the document as it was signed.',
    );
  });

  test('of a button is its tick as well', async () => {
    const ticks = { ...BODIES, 16: (BODIES[16] ?? '').replace('/AS/Off/V/Off', '/AS/Yes') };
    const file = await signPades(buildPdf(ticks), person, OPTIONS);
    const unticked = { 16: ticks[16].replace('/AS/Yes', '/AS/Off/V/Off') };
    expect((await outcomeOf(unticked, file)).outcome).toBe('undetermined');
  });

  test('of somebody who approved a certified form is not replaced either', async () => {
    const both = await signPades(certified, company, OPTIONS);
    expect((await outcomeOf(replaced, both)).outcome).toBe('undetermined');
  });
});

describe('nobody can fill in, so that the document was changed,', () => {
  test.each<[string, Bodies]>([
    ['a field that is only read', shown(13, '(999999)', text('999999'))],
    ['a field that inherits so', filled(25, '/V(999)')],
    ['a field whose annotation is only read', filled(26, '/V(999)')],
    ['a choice with what is no option', shown(14, '(BA)', text('BA'))],
    ['a list with what is no option', filled(22, '/V[(Pay 1)(Pay 2)]')],
    ['a text with a dictionary', filled(12, '/V<</Type/Sig>>')],
    ['a tick with a text', filled(16, '/V(Yes)/AS/Yes')],
    ['a text that is too long', filled(12, `/V(${'9'.repeat(31)})`)],
    ['a field that is moved', { 12: (filled(12, '/V(9)')[12] ?? '').replace('50 600', '50 700') }],
    ['a field that is hidden', { 12: (filled(12, '/V(9)')[12] ?? '').replace('/F 4', '/F 6') }],
    ['a field with a caption', filled(12, '/V(9)/MK<</CA(Pay 999999)/BG[1]>>')],
    ['a tick with a caption that is a text', ticked('/MK<</CA(Pay 999999)>>')],
    ['a tick with an icon', ticked('/MK<</I 43 0 R>>')],
    ['a text on another background', filled(35, '/V(9)/MK<</BG[0]>>', '/MK<</BG[0.843]/R 0>>')],
    ['a field in a layer', filled(12, '/V(9)/OC 60 0 R')],
    [
      'a form that the reader draws anew',
      { ...filled(12, '/V(9)'), 10: bodyOf(approved, 10).replace('/DA', '/NeedAppearances true/DA') },
    ],
    ['a font that a field uses', { ...filled(12, '/V(9)'), 5: BODIES[40] ?? '' }],
  ])('%s', async (_, bodies) => {
    for (const file of [approved, certified]) expect((await outcomeOf(bodies, file)).outcome).toBe('invalid');
  });

  test('anything where the signer allows no change', async () => {
    const file = await signPades(DOCUMENT, person, { ...OPTIONS, certify: 1 });
    expect((await outcomeOf(shown(12, '(Maria)', text('Maria')), file)).outcome).toBe('invalid');
  });
});
