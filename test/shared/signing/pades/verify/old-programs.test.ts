import { describe, expect, test } from 'vitest';
import { type PdfRef, print, ref } from '../../../../../shared/signing/pades/pdf/values.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import type { PdfReport } from '../../../../../shared/signing/pades/verify/report.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { appendSignedSave, forge } from '../forge.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { catalog, PREPARED, page, signed, stream } from '../prepared-document.ts';
import { appendUpdate, bodyOf, replaceText } from '../tamper.ts';

// Habits of programs that every reader accepts, each beside the attack that would use it.
const FILLED = 'form-filling: The field "amount" was filled in.';
const filled = PREPARED[11].replace('V()', 'V(200)');

const outcomeOf = async (file: Buffer) => {
  const report = await verify(file);
  return { valid: report.valid, messages: messagesOf(report) };
};

describe('the release that old iText writes into the root of the page tree on every save', () => {
  const tree = (entry: string): string => PREPARED[2].replace('>>', `${entry}>>`);
  const released = (entry: string) => appendUpdate(signed, { objects: { 2: tree(entry), 11: filled } });

  test('is not a change, whether it is new or another one', async () => {
    expect(await outcomeOf(released('/ITXT(5.0.0)'))).toEqual({ valid: true, messages: [FILLED] });
    const made = await signPades(buildPdf({ ...PREPARED, 2: tree('/ITXT(2.1.7)') }), person, OPTIONS);
    const saved = appendUpdate(made, { objects: { 2: tree('/ITXT(5.0.0)'), 11: filled } });
    expect(await outcomeOf(saved)).toEqual({ valid: true, messages: [FILLED] });
  });

  test.each([
    ['an object', '/ITXT 7 0 R'],
    ['a dictionary', '/ITXT<</Font 5 0 R>>'],
    ['a long text', `/ITXT(${'5.0.0 '.repeat(20)})`],
    ['a text beside another entry', '/ITXT(5.0.0)/Rotate 180'],
  ])('is a change when it is %s', async (_, entry) => {
    expect((await outcomeOf(released(entry))).messages.join()).toContain('The page tree was changed.');
  });

  test('is a change on a page, and in a part of the tree', async () => {
    const onPage = appendUpdate(signed, {
      objects: { 3: page.replace('/Contents', '/ITXT(5.0.0)/Contents') },
    });
    expect((await outcomeOf(onPage)).valid).toBe(false);
    const deep = {
      ...ONE_PAGE,
      2: '<</Type/Pages/Kids[9 0 R]/Count 1>>',
      9: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    };
    const file = await signPades(buildPdf(deep), person, OPTIONS);
    const objects = { 9: deep[9].replace('>>', '/ITXT(5.0.0)>>') };
    expect((await outcomeOf(appendUpdate(file, { objects }))).valid).toBe(false);
  });
});

describe('a /Size that counts only the objects of its own save', () => {
  const sizes = (file: Buffer, size: number): Buffer => {
    const text = file.toString('latin1');
    const at = text.lastIndexOf('/Size 100');
    return Buffer.from(`${text.slice(0, at)}/Size ${size}${text.slice(at + '/Size 100'.length)}`, 'latin1');
  };
  const saved = appendUpdate(signed, { objects: { 11: filled } });

  test('passes in an earlier save, as PDFBox writes it, when the newest counts all', async () => {
    const twice = await signPades(sizes(saved, 12), company, OPTIONS);
    const { valid, messages } = await outcomeOf(twice);
    expect([valid, messages[0]]).toEqual([true, FILLED]);
  });

  // Shadow attack (hide): readers that follow ISO 32000-2, 7.5.5, take the other objects for missing.
  test('does not pass in the newest save', async () => {
    expect((await outcomeOf(sizes(saved, 12))).valid).toBe(false);
    const last = appendUpdate(sizes(saved, 12), { objects: { 11: filled } });
    expect((await outcomeOf(last)).valid).toBe(true);
    expect((await outcomeOf(sizes(last, 12))).valid).toBe(false);
  });

  test('does not pass in any save when it leaves out an object of that save', async () => {
    const last = appendUpdate(sizes(saved, 11), { objects: { 11: filled } });
    expect((await outcomeOf(last)).valid).toBe(false);
  });
});

describe('a dictionary with two types', () => {
  const widget = (types: string): Buffer =>
    appendUpdate(signed, { objects: { 11: filled.replace('/Type/Annot', types) } });

  test('passes when both are optional and say nothing that its place does not say', async () => {
    for (const types of ['/Type/Annot/Type/Annot', '/Type/Sig/Type/Annot', '/Type/Annot/Type/Sig'])
      expect((await outcomeOf(widget(types))).messages.join()).not.toContain('accounts for');
    expect(await outcomeOf(widget('/Type/Sig/Type/Annot'))).toEqual({ valid: true, messages: [FILLED] });
  });

  // Shadow attack (replace): a reader that repairs the file takes an object for a catalog or a page by its type.
  test.each([
    ['a catalog', '/Type/Annot/Type/Catalog'],
    ['a page', '/Type/Page/Type/Annot'],
    ['a stream of objects', '/Type/ObjStm/Type/Annot'],
    ['no name', '/Type(Annot)/Type/Annot'],
    ['a reference', '/Type 8 0 R/Type/Annot'],
  ])('does not pass when one is %s', async (_, types) => {
    expect((await outcomeOf(widget(types))).messages.join()).toContain('no cross-reference accounts for');
  });

  test('does not pass when another entry has two values', async () => {
    const objects = { 11: filled.replace('/Subtype/Widget', '/Subtype/Stamp/Subtype/Widget') };
    expect((await outcomeOf(appendUpdate(signed, { objects }))).valid).toBe(false);
    const pages = { 1: catalog.replace('/Pages', '/Pages 21 0 R/Pages'), 11: filled };
    expect((await outcomeOf(appendUpdate(signed, { objects: pages }))).valid).toBe(false);
  });
});

describe('the default appearance of a field that is filled in', () => {
  const styled = (field: string, style: string): string => field.replace('/F 4', `/F 4/DA(${style})`);
  const document = buildPdf({ ...PREPARED, 11: styled(PREPARED[11], '/F1 0 Tf 0 g') });
  const changed = async (field: string, style: string, certify?: 1 | 2 | 3) => {
    const file = await signPades(document, person, { ...OPTIONS, certify });
    return outcomeOf(appendUpdate(file, { objects: { 11: styled(field, style) } }));
  };

  test.each(['/LucidaConsole 9 Tf 0 0 0 rg', '0 g /Other 12 Tf', '/F1 8.5 Tf', ''])(
    'may name another font, size and colour: "%s"',
    async (style) => {
      expect(await changed(filled, style)).toEqual({ valid: true, messages: [FILLED] });
    },
  );

  test.each([
    ['draws', '/F1 9 Tf 0 g 0 0 99 99 re f'],
    ['shows a text', '/F1 9 Tf \\(999\\) Tj'],
    ['shows a picture', '/F1 9 Tf /Hide Do'],
    ['moves the text', '/F1 9 Tf 1 0 0 1 50 50 Tm'],
    ['is longer than any style', `/F1 9 Tf${' 0 g'.repeat(100)}`],
  ])('may not be content that %s (shadow attack, replace)', async (_, style) => {
    expect((await changed(filled, style)).messages.join()).toContain('The field "amount" was changed.');
  });

  test('may not change without the value, nor where filling in is not allowed', async () => {
    expect((await changed(PREPARED[11], '/Other 9 Tf')).valid).toBe(false);
    expect((await changed(filled, '/Other 9 Tf', 1)).valid).toBe(false);
    expect((await changed(filled, '/Other 9 Tf', 2)).valid).toBe(true);
  });
});

describe('bytes after the signature in /Contents', () => {
  const original = buildPdf(ONE_PAGE);
  const indefinite = (der: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0x30, 0x80]), der.subarray(4), Buffer.from([0, 0])]);
  const REST = 'Bytes that nobody signed follow the signature in /Contents. No reader shows them.';
  const notesOf = ({ signatures }: PdfReport): string[] =>
    signatures.flatMap(({ results }) => results.warnings.map(({ message }) => message));
  const rest = Buffer.concat([Buffer.alloc(5), Buffer.from('rubbish')]);

  test.each([
    ['DER', (der: Buffer) => Buffer.concat([der, rest])],
    ['BER', (der: Buffer) => Buffer.concat([indefinite(der), rest])],
    ['BER, without a zero between', (der: Buffer) => Buffer.concat([indefinite(der), Buffer.from('x')])],
    ['DER, another signature', (der: Buffer) => Buffer.concat([der, der])],
  ])('are reported, and do not break a structure in %s', async (_, contents) => {
    const report = await verify(await forge(original, { contents }));
    expect([report.valid, messagesOf(report)]).toEqual([true, []]);
    expect(notesOf(report)).toContain(REST);
  });

  test('are zeros in most files, which need no word', async () => {
    for (const contents of [indefinite, (der: Buffer) => der]) {
      const report = await verify(await forge(original, { contents }));
      expect([report.valid, notesOf(report).includes(REST)]).toEqual([true, false]);
    }
  });

  // Signature wrapping attack: the gap of /ByteRange holds digits only, and ends with the string.
  test('break it when they are inside the structure, before its end, or no digits', async () => {
    const cut = (der: Buffer): Buffer => indefinite(der).subarray(0, -6);
    const inside = (der: Buffer): Buffer =>
      Buffer.concat([Buffer.from([0x30, 0x80]), der.subarray(4), Buffer.from('rubbish')]);
    for (const contents of [cut, inside])
      expect((await verify(await forge(original, { contents }))).signatures[0]?.intact).toBe(false);
    const file = await forge(original, { contents: (der) => Buffer.concat([der, rest]) });
    for (const other of ['00 0>', '0000 '])
      expect(await verify(replaceText(file, '0000>', other)).catch(() => null)).not.toMatchObject({
        valid: true,
      });
  });
});

describe('a signature field whose widget stands apart', async () => {
  const whole = await signPades(
    buildPdf({ ...PREPARED, 3: PREPARED[3].replace(' 30 0 R', '') }),
    person,
    OPTIONS,
  );
  const longer = (id: number, key: string, more: PdfRef): string =>
    bodyOf(whole, id).replace(new RegExp(`(/${key} ?\\[[^\\]]*)\\]`), `$1 ${print(more)}]`);
  const apart = (parent: (field: PdfRef) => string): Promise<Buffer> =>
    appendSignedSave(
      whole,
      (update, signature) => {
        const [field, widget, kids, look] = [
          update.reserve(),
          update.reserve(),
          update.reserve(),
          update.reserve(),
        ];
        update.put(ref(3), longer(3, 'Annots', widget));
        update.put(ref(10), longer(10, 'Fields', field));
        update.put(field, `<</FT/Sig/T(Second)/Kids ${print(kids)}/V ${print(signature)}>>`);
        update.put(
          widget,
          `<</Type/Annot/Subtype/Widget/F 4/Rect[20 120 80 140]/P 3 0 R/AP<</N ${print(look)}>>${parent(field)}>>`,
        );
        update.put(kids, `[${print(widget)}]`);
        update.put(
          look,
          stream('0 0 60 20 re S').replace('<<', '<</Type/XObject/Subtype/Form/BBox[0 0 60 20]'),
        );
      },
      company,
    );

  test.each<[string, (field: PdfRef) => string]>([
    ['with a /Parent', (field) => `/Parent ${print(field)}`],
    ['without one, as pyHanko wrote it', () => ''],
  ])('is a signature %s', async (_, parent) => {
    expect(await outcomeOf(await apart(parent))).toEqual({
      valid: true,
      messages: ['signature: A field was added and signed: "Second".'],
    });
  });

  // Readers inherit a value and a type from /Parent.
  test.each(['11 0 R', '10 0 R', 'null'])('is refused with the /Parent %s', async (parent) => {
    expect((await outcomeOf(await apart(() => `/Parent ${parent}`))).messages.join()).toContain(
      '/Parent that does not list it',
    );
  });
});
