import { describe, expect, test } from 'vitest';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { buildPdf, ONE_PAGE, plainPdf } from './documents.ts';
import { company, messagesOf, OPTIONS, person, verify } from './parties.ts';

const EMPTY_FIELDS = {
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R>>',
  3: ONE_PAGE[3].replace('/Contents', '/Annots 11 0 R/Contents'),
  10: '<</Fields 12 0 R/DA(/Helv 0 Tf 0 g)>>',
  11: '[13 0 R 15 0 R 16 0 R]',
  12: '[13 0 R 14 0 R 16 0 R]',
  13: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Seller)/Rect[50 50 250 110]/P 3 0 R/F 4>>',
  14: '<</FT/Sig/T(Buyer)/Kids[15 0 R]>>',
  15: '<</Type/Annot/Subtype/Widget/Parent 14 0 R/Rect[300 50 500 110]/P 3 0 R/F 4>>',
  16: '<</Type/Annot/Subtype/Widget/FT/Tx/T(Witness)/V(Ana)/Rect[50 200 250 220]/P 3 0 R/F 4>>',
};

const fieldsOf = async (bytes: Buffer): Promise<string[]> =>
  (await verify(bytes)).signatures.map(({ field }) => field);

test('fields are named in a row, past names that are taken', async () => {
  const taken = buildPdf({
    ...ONE_PAGE,
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]>>>>',
    6: '<</FT/Tx/T(Signature1)>>',
  });
  const once = await signPades(taken, person, OPTIONS);
  const twice = await signPades(once, company, OPTIONS);
  expect(await fieldsOf(twice)).toEqual(['Signature2', 'Signature3']);
});

test('a new field gets the requested name', async () => {
  const signed = await signPades(buildPdf(ONE_PAGE), person, { ...OPTIONS, field: 'Diretoria – São Paulo' });
  expect(await fieldsOf(signed)).toEqual(['Diretoria – São Paulo']);
});

describe('an empty field of the form', () => {
  test('is signed by its name, whether its widget is itself or a kid', async () => {
    const seller = await signPades(buildPdf(EMPTY_FIELDS), person, {
      ...OPTIONS,
      field: 'Seller',
      visible: { lines: ['Vendedor'] },
    });
    const buyer = await signPades(seller, company, {
      ...OPTIONS,
      field: 'Buyer',
      visible: { lines: ['Comprador'] },
    });
    const report = await verify(buyer);
    expect(report.valid).toBe(true);
    expect(report.signatures.map(({ field }) => field)).toEqual(['Seller', 'Buyer']);
    expect(messagesOf(report)).toEqual(['signature: An empty field was signed: "Buyer".']);
    const text = buyer.toString('latin1');
    expect(text).toContain('(Comprador) Tj');
    expect(text).toMatch(/SigFlags 3/);
  });

  test('is refused when it is signed already, for something else, or not there', async () => {
    const signed = await signPades(buildPdf(EMPTY_FIELDS), person, { ...OPTIONS, field: 'Seller' });
    const asking = (field: string) => signPades(signed, company, { ...OPTIONS, field });
    await expect(asking('Seller')).rejects.toMatchObject({ name: 'PdfRefused', reason: 'field-taken' });
    await expect(asking('Witness')).rejects.toMatchObject({ reason: 'field-taken' });
    await expect(asking('Seller.second')).rejects.toMatchObject({ reason: 'no-such-field' });
  });

  test('that takes no room shows nothing', async () => {
    const flat = buildPdf({ ...EMPTY_FIELDS, 13: EMPTY_FIELDS[13].replace('50 50 250 110', '0 0 0 0') });
    const signing = signPades(flat, person, { ...OPTIONS, field: 'Seller', visible: { lines: ['x'] } });
    await expect(signing).rejects.toMatchObject({ reason: 'no-place' });
  });

  test('locks the fields that its author chose when it is signed', async () => {
    const locking = buildPdf({
      ...EMPTY_FIELDS,
      13: EMPTY_FIELDS[13].replace('/F 4', '/F 4/Lock<</Type/SigFieldLock/Action/Include/Fields[(Buyer)]>>'),
    });
    const signed = await signPades(locking, person, { ...OPTIONS, field: 'Seller' });
    expect(signed.toString('latin1')).toContain('/TransformMethod/FieldMDP');
    const signing = signPades(signed, company, { ...OPTIONS, field: 'Buyer' });
    await expect(signing).rejects.toMatchObject({ reason: 'no-changes-allowed' });
    expect((await verify(await signPades(signed, company, OPTIONS))).valid).toBe(true);
  });

  test('that asks for no change afterwards, wherever it says so, is the last one signed', async () => {
    const locking = buildPdf({
      ...EMPTY_FIELDS,
      13: EMPTY_FIELDS[13].replace(
        '/F 4',
        '/F 4/Lock<</Type/SigFieldLock/Action/Include/Fields[]/P 17 0 R>>',
      ),
      17: '1',
    });
    const signed = await signPades(locking, person, { ...OPTIONS, field: 'Seller' });
    expect((await verify(signed)).signatures[0]?.allowedChanges).toBe(1);
    await expect(signPades(signed, company, OPTIONS)).rejects.toMatchObject({ reason: 'no-changes-allowed' });
  });

  test('that locks everything leaves no room for another signature', async () => {
    const locking = buildPdf({
      ...EMPTY_FIELDS,
      13: EMPTY_FIELDS[13].replace('/F 4', '/F 4/Lock<</Type/SigFieldLock/Action/All>>'),
    });
    const signed = await signPades(locking, person, { ...OPTIONS, field: 'Seller' });
    await expect(signPades(signed, company, OPTIONS)).rejects.toMatchObject({ reason: 'no-changes-allowed' });
  });
});

describe('a certified document', () => {
  test('that allows no change is not signed again', async () => {
    const certified = await signPades(buildPdf(ONE_PAGE), person, { ...OPTIONS, certify: 1 });
    expect((await verify(certified)).signatures[0]?.allowedChanges).toBe(1);
    await expect(signPades(certified, company, OPTIONS)).rejects.toMatchObject({
      name: 'PdfRefused',
      reason: 'no-changes-allowed',
    });
  });

  test.each([2, 3] as const)('at level %i is signed again', async (certify) => {
    const certified = await signPades(buildPdf(ONE_PAGE), person, { ...OPTIONS, certify });
    const report = await verify(await signPades(certified, company, OPTIONS));
    expect(report.valid).toBe(true);
    expect(report.signatures.map(({ allowedChanges }) => allowedChanges)).toEqual([certify, certify]);
  });

  test('is certified by its first signature or not at all', async () => {
    const signed = await signPades(buildPdf(ONE_PAGE), person, OPTIONS);
    const signing = signPades(signed, company, { ...OPTIONS, certify: 2 });
    await expect(signing).rejects.toMatchObject({ reason: 'already-signed' });
  });
});

test.each([
  ['encrypted', () => buildPdf(ONE_PAGE, '/Encrypt<</Filter/Standard>>')],
  ['not-a-pdf', () => Buffer.from('PK\x03\x04 a workbook')],
  ['not-a-pdf', () => Buffer.alloc(0)],
  ['broken', () => Buffer.from('%PDF-1.7\nnothing else')],
  [
    'broken',
    () =>
      Buffer.from(
        buildPdf(ONE_PAGE)
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\n77'),
        'latin1',
      ),
  ],
  ['broken', () => Buffer.concat([Buffer.from('%PDF-1.7\n%moved\n'), buildPdf(ONE_PAGE).subarray(9)])],
  ['broken', () => buildPdf({ ...ONE_PAGE, 2: '<</Type/Pages/Kids[2 0 R]/Count 0>>' })],
])('a file that is %s is refused by that name', async (reason, make) => {
  await expect(signPades(make(), person, OPTIONS)).rejects.toMatchObject({ name: 'PdfRefused', reason });
});

test('a page that is not there is refused by its number', async () => {
  const visible = { lines: ['x'], place: { page: 3, x: 0, y: 0, width: 100, height: 50 } };
  const signing = signPades(await plainPdf('table'), person, { ...OPTIONS, visible });
  await expect(signing).rejects.toMatchObject({
    reason: 'no-such-page',
    message: expect.stringContaining('page 3'),
  });
});
