import { expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { buildPdf } from '../documents.ts';
import { OPTIONS, person, verify } from '../parties.ts';
import { PREPARED } from '../prepared-document.ts';
import { appendUpdate, bodyOf } from '../tamper.ts';

// Shadow attack (replace): a page draws an entry of the catalog, the form or a field that an update may change.
const drawing = (content: string): string =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 200 50]/Length ${content.length}>>\nstream\n${content}\nendstream`;
const [BEFORE, AFTER] = [drawing('1 g 0 0 1 1 re f'), drawing('0 g 0 0 9 9 re f')];
const FIELD = PREPARED[11].replace('/T(amount)', '/T(amount)/RV 73 0 R');
const CATALOG = PREPARED[1].replace('/Names', '/Metadata 70 0 R/DSS 71 0 R/Names');

type Case = {
  readonly resources: string;
  readonly more?: Readonly<Record<number, string>>;
  readonly attack: (file: Buffer) => Readonly<Record<number, string>>;
};

const metadata = (): Record<number, string> => ({ 70: AFTER });
const filledIn = (file: Buffer): Record<number, string> => ({
  11: bodyOf(file, 11).replace('V()', 'V(200)').replace('73 0 R', '90 0 R'),
  90: AFTER,
});

test.each<[string, Case]>([
  ['metadata of the catalog', { resources: '/XObject 1 0 R', attack: metadata }],
  ['the store of the catalog', { resources: '/XObject 1 0 R', attack: () => ({ 71: AFTER }) }],
  [
    'the flags of the form',
    {
      resources: '/XObject 10 0 R',
      attack: (file) => ({ 10: bodyOf(file, 10).replace('/SigFlags 3', '/SigFlags 90 0 R'), 90: AFTER }),
    },
  ],
  ['the value of a field', { resources: '/XObject 11 0 R', attack: filledIn }],
  ['glyphs', { resources: '/Pattern<</P 72 0 R>>', more: { 72: '<</CharProcs 1 0 R>>' }, attack: metadata }],
  [
    'an annotation’s appearances',
    { resources: '', more: { 13: '<</Subtype/Stamp/AS/RV/AP<</N 11 0 R>>>>' }, attack: filledIn },
  ],
  ['the page’s group', { resources: '>>/Group 11 0 R/Old<<', attack: filledIn }],
  ['a key that is written with escapes', { resources: '/XO#62ject 1 0 R', attack: metadata }],
  ['a reference to a reference', { resources: '/XObject 72 0 R', more: { 72: '1 0 R' }, attack: metadata }],
])('what a page draws from may not change: %s', async (_, { resources, more, attack }) => {
  const page = PREPARED[3]
    .replace('/Resources<<', `/Resources<<${resources}`)
    .replace('/XObject<<', '/Old<<');
  const prepared = {
    ...PREPARED,
    1: CATALOG,
    3: page,
    11: FIELD,
    70: BEFORE,
    71: BEFORE,
    73: BEFORE,
    ...more,
  };
  const file = await signPades(buildPdf(prepared), person, OPTIONS);
  expect((await verify(file)).valid).toBe(true);
  expect((await verify(appendUpdate(file, { objects: attack(file) }))).valid).toBe(false);
});

test('the same changes pass where nothing is drawn from there', async () => {
  const prepared = { ...PREPARED, 1: CATALOG, 11: FIELD, 70: BEFORE, 71: BEFORE, 73: BEFORE };
  const file = await signPades(buildPdf(prepared), person, OPTIONS);
  for (const objects of [metadata(), filledIn(file)])
    expect((await verify(appendUpdate(file, { objects }))).valid).toBe(true);
});
