import { expect, test } from 'vitest';
import { openPdf } from '../../../../../shared/signing/pades/pdf/document.ts';
import { sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { print } from '../../../../../shared/signing/pades/pdf/values.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { buildPdf, hybridPdf, ONE_PAGE, plainPdf } from '../documents.ts';
import { OPTIONS, person } from '../parties.ts';

const signed = async (file: Buffer) => openPdf(sourceOf(await signPades(file, person, OPTIONS)));

test.each([
  ['table', () => buildPdf(ONE_PAGE)],
  ['table', hybridPdf],
  ['stream', () => plainPdf('streams')],
] as const)('after a %s comes another', async (kind, make) => {
  const { sections } = await signed(await make());
  expect(sections.slice(0, 2).map((section) => section.kind)).toEqual([kind, kind]);
});

test('every entry of the trailer is carried on, but for those of its own section', async () => {
  const file = buildPdf(
    { ...ONE_PAGE, 6: '<</Title(a)>>' },
    '/Info 6 0 R/ID[<0102><0304>]/Vendor#20Key(kept)/Prev 0',
  );
  const at = file.toString('latin1').lastIndexOf('/Prev 0');
  file.fill(' ', at, at + '/Prev 0'.length);
  const { trailer, sections } = await signed(file);
  expect([...trailer.keys()].sort()).toEqual(['ID', 'Info', 'Prev', 'Root', 'Size', 'Vendor Key']);
  expect(trailer.get('Prev')).toBe(sections[1]?.at);
  expect(print(trailer.get('ID') ?? null)).toMatch(/^\[<0102> <[0-9a-f]{32}>\]$/);
});

test('a hybrid file’s hidden objects stay reachable and are not said to be in the new section', async () => {
  const { trailer, sections } = await signed(hybridPdf());
  expect(trailer.has('XRefStm')).toBe(false);
  expect(sections[1]?.hidden).toBeDefined();
});

test('an object that is called the form and is none is left alone', async () => {
  const file = buildPdf({ ...ONE_PAGE, 1: '<</Type/Catalog/Pages 2 0 R/AcroForm 4 0 R>>' });
  const appended = (await signPades(file, person, OPTIONS)).subarray(file.length).toString('latin1');
  expect(appended).not.toContain('\n4 0 obj');
});
