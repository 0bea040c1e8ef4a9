import fc from 'fast-check';
import { expect, test } from 'vitest';
import { preparePades } from '../../../../shared/signing/pades/prepare.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { runs } from '../../../faults/fuzz.ts';
import { hybridPdf, plainPdf } from './documents.ts';
import { outcomeOf } from './outcome.ts';
import { company, OPTIONS, person, stamp, verify } from './parties.ts';

const withForm = await plainPdf('table', { form: true });
const bases = [
  withForm,
  await plainPdf('streams', { form: true }),
  hybridPdf(),
  await signPades(await signPades(withForm, company, OPTIONS), company, {
    ...OPTIONS,
    stamp,
    archive: stamp,
  }),
  await signPades(await plainPdf('streams'), company, { ...OPTIONS, certify: 3 }),
];

const WORDS = [
  '<<',
  '>>',
  '[',
  ']',
  '(',
  ')',
  '/Kids',
  '/Prev 0',
  '0 R',
  'obj',
  'endobj',
  'stream',
  'endstream',
  'xref',
  'trailer',
  'startxref',
  '%%EOF',
  '99999999999',
  '-1',
  '<',
  '>',
  '/Length',
  '\0',
  '%',
];

// An offset, a number of bytes to remove, and the replacement: random bytes, a word of PDF, or another part of the file.
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  // Mostly of equal length: a file whose offsets are all wrong is refused before anything else is read.
  remove: fc.option(fc.nat(40), { freq: 4 }),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(...WORDS).map((word) => Buffer.from(word, 'latin1')),
    fc.record({ from: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat(2000) }),
  ),
});

const mutated = fc
  .tuple(fc.constantFrom(...bases), fc.array(edit, { minLength: 1, maxLength: 6 }))
  .map(([base, edits]) =>
    edits.reduce((file, { at, remove, put }) => {
      const start = Math.floor(at * file.length);
      const part = Buffer.isBuffer(put)
        ? put
        : file.subarray(Math.floor(put.from * file.length)).subarray(0, put.length);
      return Buffer.concat([file.subarray(0, start), part, file.subarray(start + (remove ?? part.length))]);
    }, base),
  );

const OURS = ['done', 'PdfRefused'];
const signer = { ...OPTIONS, certificate: person.certificate, chain: person.chain };

test('a spoiled file is prepared or refused, and never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async (file) => {
      expect(OURS).toContain(await outcomeOf(() => preparePades(file, signer)));
    }),
    { numRuns: runs(300) },
  );
});

test('a spoiled file is judged or refused, and never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async (file) => {
      expect(OURS).toContain(await outcomeOf(() => verify(file)));
    }),
    { numRuns: runs(200) },
  );
});
