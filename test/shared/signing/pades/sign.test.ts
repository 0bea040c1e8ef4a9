import { afterAll, describe, expect, test } from 'vitest';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { pki } from '../cms/fixtures.ts';
import { buildPdf, hybridPdf, ONE_PAGE, plainPdf, throughQpdf } from './documents.ts';
import { missingTools, openJudges } from './judges.ts';
import { company, OPTIONS, person, personAgain, verify } from './parties.ts';

const missing = missingTools();
const judges = missing.length ? undefined : openJudges(pki.root.certificate);
afterAll(() => judges?.close());

const table = await plainPdf('table');

const KINDS: Record<string, () => Promise<Buffer> | Buffer> = {
  'with a cross-reference table': () => table,
  'with cross-reference and object streams': () => plainPdf('streams'),
  'with object streams by qpdf': () => throughQpdf(table, '--object-streams=generate'),
  linearized: () => throughQpdf(table, '--linearize'),
  'linearized with object streams': () => throughQpdf(table, '--linearize', '--object-streams=generate'),
  hybrid: hybridPdf,
  'with a form': () => plainPdf('table', { form: true }),
  'with a form, in object streams': () => plainPdf('streams', { form: true }),
  'of old programs': () => buildPdf(ONE_PAGE),
  'without a line end at its end': () => buildPdf(ONE_PAGE).subarray(0, -1),
};

describe.skipIf(missing.length > 0).each(Object.entries(KINDS))('a file %s', (_, make) => {
  test('signed once, twice, and by two keys, satisfies every judge and our own verifier', async () => {
    const original = await make();
    const once = await signPades(original, person, { ...OPTIONS, reason: 'Aprovação do contrato' });
    const twice = await signPades(once, personAgain, OPTIONS);
    const byTwo = await signPades(twice, company, { ...OPTIONS, name: 'Empresa Ção' });

    for (const [signed, count] of [
      [once, 1],
      [twice, 2],
      [byTwo, 3],
    ] as const) {
      expect(signed.subarray(0, original.length).equals(original)).toBe(true);
      const judged = judges?.judge(signed);
      expect(judged).toEqual({
        signatures: Array(count).fill('Signature is Valid.'),
        certificates: Array(count).fill('Certificate is Trusted.'),
        coverage: [...Array(count - 1).fill('Not total document signed'), 'Total document signed'],
        complaints: '',
      });
      const report = await verify(signed);
      expect(report.valid).toBe(true);
      expect(report.signatures.map(({ coverage }) => coverage?.wholeFile)).toEqual([
        ...Array(count - 1).fill(false),
        true,
      ]);
    }
  });
});

test('offsets count from the header in a file with something before it', async () => {
  const signed = await signPades(
    buildPdf(ONE_PAGE, '', 'Content-Type: application/pdf\r\n\r\n'),
    person,
    OPTIONS,
  );
  const again = await signPades(signed, company, OPTIONS);
  expect((await verify(again)).signatures.map(({ valid }) => valid)).toEqual([true, true]);
  if (judges) expect(judges.judge(again).signatures).toEqual(['Signature is Valid.', 'Signature is Valid.']);
});

test('the claims of the signer keep their accents', async () => {
  const claims = {
    name: 'JOSÉ DA CONCEIÇÃO',
    reason: 'Ação (nº 5)\\',
    location: 'São Paulo',
    contact: 'josé@example.com',
  };
  const { signatures } = await verify(await signPades(table, person, { ...OPTIONS, ...claims }));
  const second = Math.floor(OPTIONS.signingTimeMs / 1000) * 1000;
  expect(signatures[0]?.claims).toEqual({ ...claims, timeMs: second });
});

test('a file over 100 MB is signed in the memory of the file and its copy, and again, and by two keys', async () => {
  const bytes = 110 * 1024 * 1024;
  const large = buildPdf({
    ...ONE_PAGE,
    6: `<</Length ${bytes}>>\nstream\n${'\0'.repeat(bytes)}\nendstream`,
  });
  const before = process.memoryUsage().arrayBuffers;
  const signed = await signPades(large, person, OPTIONS);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.1 * signed.length);
  const again = await signPades(signed, personAgain, OPTIONS);
  const byTwo = await signPades(again, company, OPTIONS);
  expect((await verify(byTwo)).signatures.map(({ valid }) => valid)).toEqual([true, true, true]);
  if (judges)
    expect(judges.judge(byTwo)).toMatchObject({
      signatures: Array(3).fill('Signature is Valid.'),
      certificates: Array(3).fill('Certificate is Trusted.'),
      complaints: '',
    });
});
