import { describe, expect, test } from 'vitest';
import { type PdfRef, print, ref } from '../../../../../shared/signing/pades/pdf/values.ts';
import type { ChangeLevel } from '../../../../../shared/signing/pades/permissions.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { appendSignedSave } from '../forge.ts';
import { company, OPTIONS, person, verify } from '../parties.ts';
import { appendUpdate, bodyOf } from '../tamper.ts';

// A document that a screen reader reads by its structure (ISO 32000-2, 14.7): two paragraphs, and a note in a list.
const TAGGED = {
  ...ONE_PAGE,
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/StructTreeRoot 50 0 R/MarkInfo<</Marked true>>>>',
  3: ONE_PAGE[3].replace('/Contents', '/StructParents 0/Annots[]/Contents'),
  10: '<</Fields[]>>',
  50: '<</Type/StructTreeRoot/K 51 0 R/ParentTree 54 0 R/ParentTreeNextKey 1>>',
  51: '<</Type/StructElem/S/Document/P 50 0 R/K[52 0 R 53 0 R]>>',
  52: '<</Type/StructElem/S/P/P 51 0 R/Pg 3 0 R/K 0>>',
  53: '<</Type/StructElem/S/P/P 51 0 R/Pg 3 0 R/K 1>>',
  54: '<</Nums[0[52 0 R 53 0 R]]>>',
};
const signed = await signPades(buildPdf(TAGGED), person, OPTIONS);

type Changes = {
  /** Replaces texts in what an honest program writes. */
  readonly replace?: readonly [string, string];
  readonly more?: Readonly<Record<number, string>>;
  readonly certify?: ChangeLevel;
};

/** A second signature, whose widget is entered into the structure as iText does it. */
async function secondSigned({
  replace = ['', ''],
  more = {},
  certify,
}: Changes): Promise<boolean | undefined> {
  const file = certify ? await signPades(buildPdf(TAGGED), person, { ...OPTIONS, certify }) : signed;
  const longer = (id: number, key: string, item: PdfRef): string =>
    bodyOf(file, id).replace(new RegExp(`(/${key} ?\\[[^\\]]*)\\]`), `$1 ${print(item)}]`);
  const all = await appendSignedSave(
    file,
    (update, signature) => {
      const [field, element, numbers] = [update.reserve(), update.reserve(), update.reserve()];
      const put = (target: PdfRef, body: string): void => {
        update.put(target, more[target.id] ?? body.replace(...replace));
      };
      put(ref(3), longer(3, 'Annots', field).replace(/>>$/, '/Tabs/S>>'));
      put(ref(10), longer(10, 'Fields', field));
      put(
        field,
        `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/V ${print(signature)}/Rect[0 0 0 0]/F 132/P 3 0 R/StructParent 1>>`,
      );
      put(element, `<</Type/StructElem/S/Form/P 51 0 R/Pg 3 0 R/K<</Type/OBJR/Obj ${print(field)}>>>>`);
      put(ref(50), `<</Type/StructTreeRoot/K[51 0 R]/ParentTree ${print(numbers)}/ParentTreeNextKey 2>>`);
      put(ref(51), TAGGED[51].replace('53 0 R', `53 0 R ${print(element)}`));
      put(numbers, `<</Nums[0[52 0 R 53 0 R]1 ${print(element)}]>>`);
    },
    company,
  );
  return (await verify(all)).signatures[0]?.unmodified;
}

test('a tagged document that is signed twice keeps its first signature', async () => {
  expect(await secondSigned({})).toBe(true);
  expect(await secondSigned({ certify: 2 })).toBe(true);
});

test('but not where the signer allows no change', async () => {
  expect(await secondSigned({ certify: 1 })).toBe(false);
});

// Shadow attack (replace): a screen reader reads something else aloud.
describe('a second signature does not excuse that', () => {
  test.each<[string, Changes]>([
    ['another order', { replace: ['52 0 R 53 0 R', '53 0 R 52 0 R'] }],
    ['a missing paragraph', { replace: ['/K[52 0 R 53 0 R', '/K[52 0 R'] }],
    ['another place of a paragraph', { replace: ['[0[52 0 R 53 0 R]', '[0[53 0 R 52 0 R]'] }],
    ['a text instead of the widget', { replace: ['/S/Form', '/S/Form/ActualText(Pay 999)'] }],
    ['a description of the widget', { replace: ['/S/Form', '/S/Form/Alt(Pay 999)'] }],
    ['content of the page as that of the widget', { replace: ['/K<</Type/OBJR', '/K 0/KK<</Type/OBJR'] }],
    ['another object as the widget', { replace: ['<</Type/OBJR/Obj', '<</Type/OBJR/Obj 4 0 R/X'] }],
    ['a text for the whole document', { replace: ['/S/Document', '/S/Document/ActualText(Pay 999)'] }],
    [
      'another meaning of a kind',
      { replace: ['/Type/StructTreeRoot', '/Type/StructTreeRoot/RoleMap<</P/Artifact>>'] },
    ],
    ['an entry that belongs to no field', { replace: ['53 0 R]1', '53 0 R]2 52 0 R 1'] }],
    ['an entry that is there twice', { replace: ['53 0 R]1', '53 0 R]0[53 0 R]1'] }],
    ['a numbering that cannot be read', { replace: ['/Nums[0', '/Nums[/0'] }],
    ['an order of tabs that is no name', { replace: ['/Tabs/S', '/Tabs 52 0 R'] }],
  ])('has %s', async (_, changes) => {
    expect(await secondSigned(changes)).toBe(false);
  });

  test('is there without it: the structure alone may not change', async () => {
    const objects = { 53: TAGGED[53].replace('/S/P', '/S/Artifact') };
    expect((await verify(appendUpdate(signed, { objects }))).valid).toBe(false);
  });
});

test('the order of the Tab key may be set, but not where the signer allows no change', async () => {
  const tabbed = (file: Buffer) =>
    appendUpdate(file, { objects: { 3: bodyOf(file, 3).replace(/>>$/, '/Tabs/S>>') } });
  expect((await verify(tabbed(signed))).valid).toBe(true);
  const strict = await signPades(buildPdf(TAGGED), person, { ...OPTIONS, certify: 1 });
  expect((await verify(tabbed(strict))).valid).toBe(false);
});
