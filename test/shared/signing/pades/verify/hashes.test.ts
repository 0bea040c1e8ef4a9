import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import { createPdfBudget } from '../../../../../shared/signing/pades/pdf/budget.ts';
import type { Covered } from '../../../../../shared/signing/pades/verify/byte-range.ts';
import { hashesOf } from '../../../../../shared/signing/pades/verify/hashes.ts';

const file = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));
const over = (contentsStart: number, end: number): Covered => {
  const contentsEnd = contentsStart + 100;
  return { contentsStart, contentsEnd, end, contents: file.subarray(contentsStart, contentsEnd) };
};
const direct = ({ contentsStart, contentsEnd, end }: Covered): Buffer =>
  hashOf('sha256', Buffer.concat([file.subarray(0, contentsStart), file.subarray(contentsEnd, end)]));

describe('what the signatures of a file cover', () => {
  test('is hashed around the /Contents of each, in any order', () => {
    const all = [over(90_000, 100_000), over(10_000, 20_000), over(50_000, 60_000), over(50_000, 99_000)];
    const hashes = hashesOf(file, all, createPdfBudget(file.length));
    for (const one of all) expect(hashes(one)('sha256')).toEqual(direct(one));
  });

  test('is read once for all that came one after the other, which costs nothing of what reading may', () => {
    const budget = { ...createPdfBudget(file.length), leftUnits: 0 };
    const saves = Array.from({ length: 100 }, (_, at) => over(500 + 900 * at, 900 + 900 * at));
    const hashes = hashesOf(file, saves, budget);
    for (const one of saves) expect(hashes(one)('sha256')).toEqual(direct(one));
  });

  test('may not be read again and again by signatures that all begin early and end late', () => {
    const budget = { ...createPdfBudget(file.length), leftUnits: 1_000_000 };
    const all = Array.from({ length: 100 }, (_, at) => over(200 * at, 100_000));
    const hashes = hashesOf(file, all, budget);
    expect(() => all.map((one) => hashes(one)('sha256'))).toThrow('too complex');
  });
});
