import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkCnab240 } from '../../../../../functions/batch/jobs/domain/cnab240/check.ts';
import { Cnab240Invalid } from '../../../../../functions/batch/jobs/domain/cnab240/invalid.ts';
import { POSITIONS } from '../../../../../functions/batch/jobs/domain/cnab240/positions.ts';
import { complement, fileOf, inChunks, line, payment, remittance } from './remittance.ts';

const page = readFileSync('docs/cnab240.md', 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| ([\d-]+) +\| (.+?) +\|$/gm)].map(
  ([, record = '', field = '', columns = '', checked = '']) => ({ record, field, columns, checked }),
);

// A file with every kind of record, and the number of the record of each kind.
const DETAILS = [payment('A'), complement('B'), payment('J'), complement('J-52'), payment('O'), payment('N')];
const GOOD = remittance(DETAILS);
const RECORDS: Readonly<Record<string, number>> = {
  everyRecord: 3,
  fileHeader: 1,
  lotHeader: 2,
  detail: 3,
  segmentA: 3,
  segmentB: 4,
  segmentJ: 5,
  segmentJ52: 6,
  segmentO: 7,
  segmentN: 8,
  lotTrailer: 9,
  fileTrailer: 10,
};

const check = (lines: readonly string[]) => checkCnab240(inChunks(fileOf(lines)));

describe('the positions', () => {
  test('of docs/cnab240.md are those of the code', () => {
    const declared = Object.entries(POSITIONS).flatMap(([record, fields]) =>
      Object.entries(fields).map(([field, [first, last]]) => ({
        record,
        field,
        columns: first === last ? String(first) : `${first}-${last}`,
      })),
    );
    expect(rows.map(({ checked: _, ...row }) => row)).toEqual(declared);
  });

  test.each(rows)(
    '$record.$field, columns $columns: checked $checked',
    async ({ record, columns, checked }) => {
      const [first = 0, last = first] = columns.split('-').map(Number);
      const index = (RECORDS[record] ?? 0) - 1;
      const spoiled = line({ 1: GOOD[index] ?? '' }, { [first]: '#'.repeat(last - first + 1) });
      const outcome = check(GOOD.with(index, spoiled));
      if (/^no\b/.test(checked)) expect(await outcome).toMatchObject({ paymentCount: 4 });
      else await expect(outcome).rejects.toBeInstanceOf(Cnab240Invalid);
    },
  );

  test('docs/cnab240.md shows errors as they are', async () => {
    const shown = [...page.matchAll(/^\| `(Record .*)` +\|$/gm)].map(([, message]) => message);
    const two = remittance([payment('A'), complement('B')], [payment('A')]);
    const spoil = (record: number, columns: Record<number, string>) =>
      two.with(record - 1, line({ 1: two[record - 1] ?? '' }, columns));
    const files = [
      spoil(3, { 15: '5' }),
      remittance([payment('J'), complement('J-52', { 15: '0' })]),
      spoil(1, { 143: '2' }),
      spoil(5, { 18: '000003' }),
      two.with(6, `${two[6]}\xa9`),
    ];
    const made = await Promise.all(
      files.map((lines) => check(lines).then(String, (error: Error) => error.message)),
    );
    expect(shown).toEqual(made);
  });
});
