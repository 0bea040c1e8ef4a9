import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Appearance } from '../../../../shared/signing/pades/appearance/appearance.ts';
import { addMarks } from '../../../../shared/signing/pades/marks/add-marks.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { visibleOf } from '../../../../shared/signing/visual/representation.ts';
import { holderKey, pki } from '../cms/fixtures.ts';
import { missingTools, openJudges } from '../pades/judges.ts';
import { verify } from '../pades/parties.ts';
import { pageOf, SIGNATURES } from './cases.ts';
import { differingPoints } from './compare-pictures.ts';
import { MARKS } from './mark-cases.ts';

const missing = missingTools();
const judges = missing.length ? undefined : openJudges(pki.root.certificate);
afterAll(() => judges?.close());

const TIME = Date.UTC(2026, 10, 18, 12, 30, 15);
// pdfsig trusts a certificate only once in one file.
const signers = Array.from({ length: 5 }, () => holderKey());

/** Signs with the look, as the first, the second and so on. */
async function sign(file: Buffer, at: number, look: Parameters<typeof visibleOf>[0]): Promise<Buffer> {
  const key = signers[at] ?? expect.fail('There are five signers.');
  const visible: Appearance = visibleOf(look, { certificate: key.certificate, signingTimeMs: TIME });
  return signPades(file, key, { signingTimeMs: Date.now(), visible });
}

// Points for each signature, and four times as many for marks, which have more text. The letters of other fonts (mutool)
// differ at about 50, a place that is a millimetre and a half elsewhere at 126 or more.
const MAX_DIFFERING = 100;

const pathOf = (name: string): string =>
  join(import.meta.dirname, 'pictures', `${name.replaceAll(/\W+/g, '-')}.png`);

const differing = (name: string, bytes: Buffer, page: number): number =>
  differingPoints(judges?.picture(bytes, page) ?? expect.fail(), readFileSync(pathOf(name)));

/** UPDATE_PICTURES=1 writes the pictures anew. Look at each of them. */
function expectPicture(name: string, bytes: Buffer, page: number, count = 1): void {
  if (process.env.UPDATE_PICTURES)
    writeFileSync(pathOf(name), judges?.picture(bytes, page) ?? expect.fail('There is no pdftoppm.'));
  expect(differing(name, bytes, page)).toBeLessThanOrEqual(MAX_DIFFERING * count);
}

async function expectValid(bytes: Buffer, count: number): Promise<void> {
  const judged = judges?.judge(bytes);
  expect(judged).toMatchObject({ signatures: Array(count).fill('Signature is Valid.'), complaints: '' });
  const { signatures } = await verify(bytes);
  expect(signatures).toHaveLength(count);
  for (const { results, changes } of signatures) {
    expect(results.errors).toEqual([]);
    expect(changes.filter(({ allowed }) => !allowed)).toEqual([]);
  }
}

describe.skipIf(missing.length > 0)('a signature is shown as in its picture, and is valid', () => {
  test.each(Object.entries(SIGNATURES))(
    '%s',
    async (name, { file, look, signers: count = 1, shown, isFull }) => {
      let bytes = await pageOf(file);
      for (let at = 0; at < count; at++) bytes = await sign(bytes, at, look);
      if (isFull) await expect(sign(bytes, count, look)).rejects.toMatchObject({ reason: 'no-place-left' });
      await expectValid(bytes, count);
      expectPicture(name, bytes, shown ?? 1, count);
    },
  );
});

describe.skipIf(missing.length > 0)(
  'a place that is a millimetre and a half elsewhere is not as in the picture',
  () => {
    test.each(['units in centimetres', 'a crop box', 'long text that shrinks'])('%s', async (name) => {
      const { file, look } = SIGNATURES[name] ?? expect.fail();
      const manual = { ...look.position.manual };
      const moved = { ...look.position, manual: { ...manual, left: (manual.left ?? 0) + 0.15 } };
      const bytes = await sign(await pageOf(file), 0, { ...look, position: moved });
      expect(differing(name, bytes, 1)).toBeGreaterThan(MAX_DIFFERING);
    });
  },
);

describe.skipIf(missing.length > 0)('marks are shown as in their picture, under a valid signature', () => {
  test.each(Object.entries(MARKS))('%s', async (name, { file, marks, paper, shown = 1 }) => {
    const original = await pageOf(file);
    const marked = Buffer.concat(addMarks(sourceOf(original), marks, paper).pieces);
    expect(marked.subarray(0, original.length).equals(original)).toBe(true);
    const signed = await signPades(marked, signers[0] ?? expect.fail(), { signingTimeMs: Date.now() });
    await expectValid(signed, 1);
    expectPicture(`marks ${name}`, signed, shown, 4);
    expect(() => addMarks(sourceOf(signed), marks)).toThrow(
      expect.objectContaining({ reason: 'already-signed' }),
    );
  });
});
