import { beforeAll, describe, expect, test } from 'vitest';
import { runs, SEED } from '../../../faults/fuzz.ts';
import { mutantsOf } from './mutate.ts';
import { isCalledValid, makeSamples, type Sample, sharesOf } from './samples.ts';

// FUZZ=20 npx vitest run test/shared/signing/mutants: more of them.
const COUNT = runs(10_000);

const KINDS = [
  'a PDF with a table',
  'a PDF with streams',
  'a hybrid PDF',
  "a PDF signed in pyHanko's layout after us",
  'a PDF of two signers and an archive timestamp',
  'a detached CMS',
  'the content of a detached CMS',
  'an attached CMS of two signers',
  'a CMS in PEM',
  'a CMS with a countersignature and an archive timestamp',
  'an XML document',
  'an XML document of two signers',
];

describe('a mutant of a signed file is refused, or what was signed is as it was', () => {
  let samples: Record<string, Sample>;
  beforeAll(async () => {
    samples = await makeSamples();
    expect(Object.keys(samples)).toEqual(KINDS);
  });

  test.each(KINDS.map((kind, at) => ({ kind, at })))('$kind', { timeout: 600_000 }, async ({ kind, at }) => {
    const sample = samples[kind];
    if (!sample) throw new Error(`There is no sample of ${kind}.`);
    expect(await isCalledValid(sample, sample.bytes)).toBe(true);
    const signed = new Set([sample.bytes, ...(sample.earlier ?? [])].flatMap(sample.signedParts));
    const count = sharesOf(Object.values(samples), COUNT)[at] ?? 0;
    for (const { bytes, edits } of mutantsOf(sample.bytes, count, SEED + at)) {
      if (!(await isCalledValid(sample, bytes))) continue;
      const changed = sample.signedParts(bytes).filter((part) => !signed.has(part));
      expect(changed, `FUZZ_SEED=${SEED}: ${edits.join(', ')} gave ${bytes.toString('base64')}`).toEqual([]);
    }
  });
});
