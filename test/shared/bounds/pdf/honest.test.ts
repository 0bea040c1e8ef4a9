import { expect, test } from 'vitest';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { holderKey } from '../../signing/cms/fixtures.ts';
import { buildPdf, ONE_PAGE } from '../../signing/pades/documents.ts';
import { OPTIONS, verify } from '../../signing/pades/parties.ts';
import { form, pages, tagged } from './honest.ts';

const signer = holderKey({ key: 'p256' });

const HONEST: Readonly<Record<string, () => Buffer>> = {
  'a scan of 2,000 pages in 100 MB': () => pages(2000, 50_000),
  'a flat list of 50,000 pages': () => pages(50_000, 100),
  'a form of 5,000 fields in 1 MB': () => form(5000, 200, true),
  '200,000 objects in object streams': () => tagged(200_000),
};

test.each(Object.entries(HONEST))('%s is signed twice and verified', async (_, make) => {
  const once = await signPades(make(), signer, OPTIONS);
  const { valid, signatures } = await verify(await signPades(once, signer, OPTIONS));
  expect({ valid, count: signatures.length }).toEqual({ valid: true, count: 2 });
});

test('a hundred signatures in one file are verified', async () => {
  let file = buildPdf(ONE_PAGE);
  for (let time = 0; time < 100; time++) file = await signPades(file, signer, OPTIONS);
  const { valid, signatures } = await verify(file);
  expect({ valid, count: signatures.length }).toEqual({ valid: true, count: 100 });
});

test('a form of 2,000 fields with eight signatures is judged where the signers are trusted, which extends the budget', async () => {
  let file = form(2000, 200, true);
  for (let time = 0; time < 8; time++) file = await signPades(file, signer, OPTIONS);
  const { valid, signatures } = await verify(file);
  expect({ valid, count: signatures.length }).toEqual({ valid: true, count: 8 });
  const nobody = createJudge({ anchors: [], revocation: 'skip' });
  const tooComplex = { reason: 'too-complex' };
  await expect(verifyPdf(file, { judge: nobody, atMs: Date.now() })).rejects.toMatchObject(tooComplex);
});
