import { describe, expect, test } from 'vitest';
import { createJudge } from '../../../../../shared/pki/verdict/verdict.ts';
import { localKey } from '../../../../../shared/signing/key.ts';
import type { ChangeLevel } from '../../../../../shared/signing/pades/permissions.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { verifyPdf } from '../../../../../shared/signing/pades/verify/verify-pdf.ts';
import { testPki } from '../../../../certificates/pki.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { forge } from '../forge.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { appendUpdate, bodyOf, replaceText, type Update } from '../tamper.ts';

const FORM = {
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 20 0 R>>',
  3: ONE_PAGE[3].replace('/Contents', '/Annots[11 0 R 14 0 R 16 0 R 17 0 R]/Contents'),
  10: '<</Fields[11 0 R 13 0 R 18 0 R]/DA(/F1 0 Tf)>>',
  11: '<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)/V()/Rect[50 600 200 620]/P 3 0 R/F 4/AP<</N 12 0 R>>>>',
  12: '<</Type/XObject/Subtype/Form/BBox[0 0 150 20]/Length 20>>\nstream\nBT (100) Tj ET      \nendstream',
  13: '<</FT/Btn/T(agree)/V/Off/Kids[14 0 R]>>',
  14: '<</Type/Annot/Subtype/Widget/Parent 13 0 R/AS/Off/Rect[50 500 60 510]/P 3 0 R/F 4>>',
  16: '<</Type/Annot/Subtype/Text/Rect[300 300 320 320]/Contents(Nota)/P 3 0 R>>',
  17: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Seller)/Rect[50 50 250 110]/P 3 0 R/F 4/Lock<</Type/SigFieldLock/Action/Include/Fields[(amount)]>>>>',
  18: '17 0 R',
  19: '<</Title(Contrato)/ModDate(D:20260101)>>',
  20: '<</Type/Metadata/Subtype/XML/Length 4>>\nstream\n<a/>\nendstream',
};
const DOCUMENT = buildPdf({ ...FORM, 10: FORM[10].replace('18 0 R', '17 0 R') }, '/Info 19 0 R');
const KEEP = { trailer: '/Info 19 0 R' };

const filled: Update = {
  ...KEEP,
  objects: {
    11: FORM[11].replace('V()', 'V(200)').replace('12 0 R', '40 0 R'),
    40: FORM[12].replace('(100)', '(200)'),
  },
};
const ticked: Update = {
  ...KEEP,
  objects: { 13: FORM[13].replace('/V/Off', '/V/Yes'), 14: FORM[14].replace('/AS/Off', '/AS/Yes') },
};
const annotated = (page: string): Update => ({
  ...KEEP,
  objects: { 3: page.replace('16 0 R', '16 0 R 40 0 R'), 40: FORM[16].replace('(Nota)', '(Outra)') },
});

const outcomeOf = async (update: (signed: Buffer) => Update, certify?: ChangeLevel, field?: string) => {
  const signed = await signPades(DOCUMENT, person, { ...OPTIONS, certify, field });
  const report = await verify(appendUpdate(signed, update(signed)));
  return { valid: report.valid, messages: messagesOf(report) };
};

describe('filling in a form', () => {
  test.each([undefined, 2, 3] as const)(
    'is allowed when the document is certified at level %s',
    async (certify) => {
      expect(await outcomeOf(() => filled, certify)).toEqual({
        valid: true,
        messages: ['form-filling: The field "amount" was filled in.'],
      });
      expect(await outcomeOf(() => ticked, certify)).toEqual({
        valid: true,
        messages: ['form-filling: The field "agree" was filled in.'],
      });
    },
  );

  test('is a modification when no change is allowed', async () => {
    expect((await outcomeOf(() => filled, 1)).valid).toBe(false);
  });

  test('is a modification of the fields that a signature locks, and of no others', async () => {
    expect((await outcomeOf(() => filled, undefined, 'Seller')).valid).toBe(false);
    expect((await outcomeOf(() => ticked, undefined, 'Seller')).valid).toBe(true);
  });
});

describe('annotations', () => {
  test.each([undefined, 2] as const)(
    'are modifications when the document is certified at level %s',
    async (certify) => {
      expect((await outcomeOf((signed) => annotated(bodyOf(signed, 3)), certify)).valid).toBe(false);
    },
  );

  test('are allowed where the signer allows them', async () => {
    const added = await outcomeOf((signed) => annotated(bodyOf(signed, 3)), 3);
    expect(added).toEqual({ valid: true, messages: ['annotation: An annotation was added to page 1.'] });
    const changed = await outcomeOf(
      () => ({ ...KEEP, objects: { 16: FORM[16].replace('(Nota)', '(Nova)') } }),
      3,
    );
    expect(changed).toEqual({ valid: true, messages: ['annotation: Annotations on page 1 were changed.'] });
    const removed = await outcomeOf(
      (signed) => ({ ...KEEP, objects: { 3: bodyOf(signed, 3).replace('16 0 R', '') } }),
      3,
    );
    expect(removed).toEqual({ valid: true, messages: ['annotation: Annotations on page 1 were changed.'] });
  });

  test.each([
    ['a script', '/A<</S/JavaScript/JS(app.alert(1))>>'],
    ['a program', '/A<</S/Launch/F(a.exe)>>'],
    ['a script after a link', '/A<</S/URI/URI(https://a.br)/Next<</S/JavaScript/JS(x)>>>>'],
    ['a script when the page is shown', '/AA<</PV<</S/JavaScript/JS(x)>>>>'],
  ])('that run %s are modifications, new or old', async (_, action) => {
    const note = FORM[16].replace('/P 3 0 R', `/P 3 0 R${action}`);
    const changed = await outcomeOf(() => ({ ...KEEP, objects: { 16: note } }), 3);
    expect(changed.valid).toBe(false);
    const added = (signed: Buffer): Update => ({
      ...KEEP,
      objects: { ...annotated(bodyOf(signed, 3)).objects, 40: note },
    });
    expect((await outcomeOf(added, 3)).valid).toBe(false);
  });

  test('that are fields are not annotations', async () => {
    const taken = await outcomeOf(
      (signed) => ({ ...KEEP, objects: { 3: bodyOf(signed, 3).replace('11 0 R', '') } }),
      3,
    );
    expect(taken.valid).toBe(false);
    const turned = { ...KEEP, objects: { 16: FORM[11].replace('amount', 'other') } };
    expect((await outcomeOf(() => turned, 3)).valid).toBe(false);
    const loose = FORM[11].replace('amount', 'other');
    const added = await outcomeOf(
      (signed) => ({
        ...KEEP,
        objects: { 3: bodyOf(signed, 3).replace('16 0 R', '16 0 R 40 0 R'), 40: loose },
      }),
      3,
    );
    expect(added.valid).toBe(false);
  });

  test('do not excuse a change to what the page itself shows', async () => {
    const both = await outcomeOf(
      (signed) => ({
        ...KEEP,
        objects: { ...annotated(bodyOf(signed, 3)).objects, 4: '<</Length 6>>\nstream\nBT ET \nendstream' },
      }),
      3,
    );
    expect(both.valid).toBe(false);
  });
});

describe('metadata', () => {
  test('may record that the file was saved', async () => {
    const info = FORM[19].replace('20260101', '20260202').replace('/Title', '/Producer(x)/Title');
    expect(
      await outcomeOf(() => ({ ...KEEP, objects: { 19: info, 20: FORM[20].replace('<a/>', '<b/>') } })),
    ).toEqual({
      valid: true,
      messages: ['metadata: The metadata was changed.'],
    });
  });

  test('may not change where no change is allowed', async () => {
    const changed = { ...KEEP, objects: { 20: FORM[20].replace('<a/>', '<b/>') } };
    expect((await outcomeOf(() => changed, 1)).valid).toBe(false);
  });
});

test('an empty field for another signature may be added', async () => {
  const outcome = await outcomeOf((signed) => ({
    ...KEEP,
    objects: {
      3: bodyOf(signed, 3).replace(/(\/Annots ?\[[^\]]*)\]/, '$1 40 0 R]'),
      10: bodyOf(signed, 10).replace(/(\/Fields ?\[[^\]]*)\]/, '$1 40 0 R]'),
      40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Buyer)/Rect[300 50 500 110]/P 3 0 R/F 4>>',
    },
  }));
  expect(outcome).toEqual({
    valid: true,
    messages: ['signature-field: The empty signature field "Buyer" was added.'],
  });
});

test('a field with a script in it may not', async () => {
  const { valid } = await outcomeOf((signed) => ({
    ...KEEP,
    objects: {
      10: bodyOf(signed, 10).replace(/(\/Fields ?\[[^\]]*)\]/, '$1 40 0 R]'),
      40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Buyer)/Rect[0 0 0 0]/AA<</Fo<</S/JavaScript/JS(x)>>>>>>',
    },
  }));
  expect(valid).toBe(false);
});

test('a change between two signatures is reported for the first and covered by the second', async () => {
  const signed = await signPades(DOCUMENT, person, OPTIONS);
  const changed = appendUpdate(signed, {
    ...KEEP,
    objects: { 4: '<</Length 6>>\nstream\nBT ET \nendstream' },
  });
  const report = await verify(await signPades(changed, company, OPTIONS));
  expect(report.signatures.map(({ unmodified, intact }) => [unmodified, intact])).toEqual([
    [false, true],
    [true, true],
  ]);
  expect(report.valid).toBe(false);
});

test('a further signature is a modification where none is allowed, whoever makes it', async () => {
  const certified = await signPades(DOCUMENT, person, { ...OPTIONS, certify: 1 });
  const byForce = await verify(await forge(certified, { by: company }));
  expect(byForce.signatures.map(({ intact, unmodified }) => [intact, unmodified])).toEqual([
    [true, false],
    [true, true],
  ]);
  const locking = buildPdf({
    ...FORM,
    10: FORM[10].replace('18 0 R', '17 0 R'),
    17: FORM[17].replace(/\/Lock.*>>>>$/, '/Lock<</Action/All>>>>'),
  });
  const locked = await signPades(locking, person, { ...OPTIONS, field: 'Seller' });
  const despite = await verify(await forge(locked, { by: company }));
  expect(despite.signatures.map(({ unmodified }) => unmodified)).toEqual([false, true]);
});

test('a further signature of somebody who is not trusted may not show anything', async () => {
  const signed = await signPades(DOCUMENT, person, OPTIONS);
  const place = { page: 1, x: 50, y: 740, width: 300, height: 50 };
  const unmodified = async (file: Buffer) => {
    const judge = createJudge({ anchors: [testPki().root.certificate], revocation: 'skip' });
    const report = await verifyPdf(file, { judge, atMs: Date.now() });
    return report.signatures.map((signature) => signature.unmodified);
  };
  const { privateKey, certificate, chain } = testPki('p256').holder({ key: 'p256' });
  const stranger = localKey(privateKey, certificate, chain);
  const visible = { lines: ['Valor: R$ 999'], place };
  expect(await unmodified(await signPades(signed, company, { ...OPTIONS, visible }))).toEqual([true, true]);
  expect(await unmodified(await signPades(signed, stranger, OPTIONS))).toEqual([true, true]);
  expect(await unmodified(await signPades(signed, stranger, { ...OPTIONS, visible }))).toEqual([false, true]);
});

// Sneaky signature attack: the look of a later signature is another contract.
describe('a later signature of somebody who is trusted', async () => {
  const signed = await signPades(DOCUMENT, person, OPTIONS);
  const shownAt = async (x: number, y: number, width: number, height: number) => {
    const visible = { lines: ['Valor: R$ 999'], place: { page: 1, x, y, width, height } };
    const report = await verify(await signPades(signed, company, { ...OPTIONS, visible }));
    return {
      valid: report.valid,
      kind: report.signatures[0]?.changes[0]?.kind,
      notes: report.results.warnings,
    };
  };

  test('is told in the headline when it is shown over content', async () => {
    const TOLD = [
      {
        message:
          'A later signature shows itself over content of a page, which whoever signed before saw without it: "Signature3".',
      },
    ];
    for (const [x, y, width, height] of [
      [0, 0, 595, 842],
      [100, 750, 200, 50],
    ] as const)
      expect(await shownAt(x, y, width, height)).toMatchObject({
        valid: true,
        kind: 'covering-signature',
        notes: TOLD,
      });
  });

  test('needs no word beside it, and over an empty field', async () => {
    for (const [x, y] of [
      [300, 100],
      [50, 50],
    ] as const)
      expect(await shownAt(x, y, 200, 60)).toMatchObject({ valid: true, kind: 'signature', notes: [] });
  });
});

test('where no root is trusted signers are alike: what one shows is no change to the other', async () => {
  const visible = { lines: ['Assinado'], place: { page: 1, x: 50, y: 740, width: 300, height: 50 } };
  const both = await signPades(await signPades(DOCUMENT, person, OPTIONS), company, { ...OPTIONS, visible });
  const judge = createJudge({ anchors: [], revocation: 'skip' });
  const { signatures } = await verifyPdf(both, { judge, atMs: Date.now() });
  expect(signatures.map(({ unmodified }) => unmodified)).toEqual([true, true]);
});

test('a level that stands apart is the level all the same', async () => {
  const reference = '/Reference[<</TransformMethod/DocMDP/TransformParams<</P 21 0 R>>>>]';
  const document = buildPdf({ ...FORM, 10: FORM[10].replace('18 0 R', '17 0 R'), 21: '1' }, '/Info 19 0 R');
  const certified = await forge(document, { subFilter: `ETSI.CAdES.detached${reference}` });
  expect(await verify(certified)).toMatchObject({ valid: true, signatures: [{ allowedChanges: 1 }] });
  expect((await verify(appendUpdate(certified, filled))).valid).toBe(false);
});

test('a further signature counts only when it holds', async () => {
  const signed = await signPades(DOCUMENT, person, OPTIONS);
  const again = await signPades(signed, company, OPTIONS);
  const report = await verify(replaceText(again, '/M(D:2', '/M(D:3'));
  expect(report.signatures.map(({ valid }) => valid)).toEqual([false, false]);
});

test('a file without a signature is reported as such', async () => {
  const report = await verify(DOCUMENT);
  expect(report).toMatchObject({ valid: false, signatures: [] });
  expect(report.results.errors[0]?.message).toBe('The PDF holds no signature.');
});

test('a certificate of another root is reported as untrusted', async () => {
  const elsewhere = createJudge({ anchors: [company.certificate], revocation: 'skip' });
  const signed = await signPades(DOCUMENT, person, OPTIONS);
  const report = await verifyPdf(signed, { judge: elsewhere, atMs: Date.now() });
  expect(report.signatures[0]).toMatchObject({
    intact: true,
    valid: false,
    verdict: { status: 'UNTRUSTED' },
  });
});

test('a signer who claims a time outside their certificate is reported', async () => {
  const signed = await signPades(DOCUMENT, person, { signingTimeMs: Date.UTC(2001, 0, 1) });
  const report = await verify(signed);
  expect(report.valid).toBe(false);
  expect(messagesOf(report).join()).toContain('The signer claims 2001-01-01');
});
