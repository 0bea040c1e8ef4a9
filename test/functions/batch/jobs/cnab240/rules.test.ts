import { describe, expect, test } from 'vitest';
import { checkCnab240 } from '../../../../../functions/batch/jobs/domain/cnab240/check.ts';
import {
  type Columns,
  complement,
  fileHeader,
  fileOf,
  fileTrailer,
  inChunks,
  line,
  lotHeader,
  lotTrailer,
  PAYMENT_COLUMNS,
  type Primary,
  payment,
  remittance,
} from './remittance.ts';

const GOOD = remittance([payment('A'), complement('B')], [payment('J'), complement('J-52')]);

/** The good file with columns of one record changed. Records count from 1. */
const changed = (record: number, columns: Columns, lines = GOOD): string[] =>
  lines.with(record - 1, line({ 1: lines[record - 1] ?? '' }, columns));

const lotOf = (...details: string[]): string[] => remittance(details);

type Case = [rule: string, lines: string[], record: number, column: number, expected: string | RegExp];

const cases: Case[] = [
  ['the bank is 001 in the file header', changed(1, { 1: '341' }), 1, 1, '001 (Banco do Brasil)'],
  ['the bank is 001 in every record', changed(4, { 1: '341' }), 4, 1, '001 (Banco do Brasil)'],
  ['a return file is refused by name', changed(1, { 143: '2' }), 1, 143, /return file \(retorno\)/],
  ['the remittance code is 1', changed(1, { 143: ' ' }), 1, 143, '1 (remittance)'],

  ['a file begins with its header', GOOD.slice(1), 1, 8, 'record type 0 (file header)'],
  [
    'a file has at least one lot',
    [fileHeader(), fileTrailer(0, 2)],
    2,
    8,
    'record type 1 (lot header), found',
  ],
  [
    'a detail is inside a lot',
    [fileHeader(), payment('A'), fileTrailer(0, 3)],
    2,
    8,
    'record type 1 (lot header)',
  ],
  ['a lot ends before another begins', GOOD.toSpliced(4, 1), 5, 8, 'type 3 (detail) or record type 5'],
  ['a lot has no records of type 2', changed(3, { 8: '2' }), 3, 8, 'type 3 (detail) or record type 5'],
  ['a lot ends before the file does', [...GOOD.slice(0, 8), GOOD.at(-1) ?? ''], 9, 8, 'record type 5'],
  ['a file ends with its trailer', GOOD.slice(0, -1), 10, 8, 'record type 9 (file trailer), but the file'],
  ['nothing follows the file trailer', [...GOOD, GOOD.at(-1) ?? ''], 11, 8, 'the end of the file'],
  ['an empty file is no remittance', [], 1, 8, 'record type 0 (file header), but the file ends'],

  ['the lot of a file header is 0000', changed(1, { 4: '0001' }), 1, 4, '0000'],
  ['the lot of a file trailer is 9999', changed(10, { 4: '0002' }), 10, 4, '9999'],
  ['a lot number is not that of a file header', changed(2, { 4: '0000' }), 2, 4, 'from 0001 to 9998'],
  ['a lot number is not that of a file trailer', changed(2, { 4: '9999' }), 2, 4, 'from 0001 to 9998'],
  ['a lot number has four digits', changed(2, { 4: '1   ' }), 2, 4, 'from 0001 to 9998'],
  ['a detail carries the number of its lot', changed(3, { 4: '0002' }), 3, 4, '0001 (the lot of the lot'],
  ['a lot trailer carries the number of its lot', changed(5, { 4: '0002' }), 5, 4, '0001'],

  ['a lot trailer counts the records of its lot', changed(5, { 18: '000002' }), 5, 18, '000004'],
  ['a count has six digits', changed(5, { 18: '     4' }), 5, 18, '000004'],
  ['a file trailer counts the lots', changed(10, { 18: '000001' }), 10, 18, '000002'],
  ['a file trailer counts the records', changed(10, { 24: '000008' }), 10, 24, '000010'],
  [
    'each lot is counted by itself',
    [...GOOD.slice(0, 8), lotTrailer(2, 8), ...GOOD.slice(9)],
    9,
    18,
    '000004',
  ],

  ['an unknown segment is a failure', lotOf(line({ 1: payment('A'), 14: 'X' })), 3, 14, 'segment A, J'],
  ['a segment is a capital', lotOf(line({ 1: payment('A'), 14: 'a' })), 3, 14, 'segment A, J'],
  ['a J-52 that follows no J is held to the rules of a J', lotOf(complement('J-52')), 3, 15, 'movement 0'],
  [
    'a J-52 that follows a J of another lot is held to the rules of a J',
    remittance([payment('J')], [complement('J-52', { 15: '0' })]),
    6,
    153,
    '15 digits',
  ],

  ...['0', '9', '5'].map(
    (movement): Case => [
      `a J-52 has no movement: ${movement} would be a payment that no figure shows`,
      lotOf(payment('J'), payment('J', { value: 99_999_999, movement }, { 18: '52' })),
      4,
      15,
      'no movement in a J-52',
    ],
  ),
  [
    'a J-52 with a movement is refused after the J of a second title too',
    lotOf(payment('J'), complement('J-52'), payment('J'), complement('J-52', { 15: '0' })),
    6,
    15,
    'no movement in a J-52',
  ],

  ...(['A', 'J', 'N', 'O'] as const).flatMap((segment: Primary): Case[] => [
    [`movement of ${segment} is 0 or 9`, lotOf(payment(segment, { movement: '5' })), 3, 15, 'movement 0'],
    [`movement of ${segment} is not blank`, lotOf(payment(segment, { movement: ' ' })), 3, 15, 'movement 0'],
    [
      `the value of ${segment} has 15 digits`,
      lotOf(payment(segment, { value: '0000000000100,0' })),
      3,
      PAYMENT_COLUMNS[segment][1],
      'a value of 15 digits',
    ],
    [
      `the value of an excluded ${segment} has 15 digits`,
      lotOf(payment(segment, { movement: '9', value: ' '.repeat(15) })),
      3,
      PAYMENT_COLUMNS[segment][1],
      'a value of 15 digits',
    ],
  ]),

  ['the code of a payer is 1 or 2', changed(1, { 18: '3' }), 1, 18, '1 (CPF) or 2 (CNPJ)'],
  ['a payer with code 1 is a CPF', changed(1, { 18: '1' }), 1, 19, 'a CPF of 11 digits'],
  ['a payer with code 2 is no CPF', changed(1, { 19: '00052998224725' }), 1, 19, 'a CNPJ of 12'],
  ['the letters of a CNPJ are capitals', changed(1, { 19: '12abc34501DE35' }), 1, 19, 'a CNPJ of 12'],
  ['a CNPJ ends in two digits', changed(1, { 19: '12ABC34501DEA5' }), 1, 19, 'a CNPJ of 12'],
  ['a CPF has no letters', changed(1, { 18: '1', 19: '0005299822472A' }), 1, 19, 'a CPF of 11'],
  ['the payer of a lot is held to the same', changed(2, { 18: '1' }), 2, 19, 'a CPF of 11 digits'],
  ['code 2 of segment N is a CPF', lotOf(payment('N', {}, { 117: '02' })), 3, 119, 'a CPF of 11 digits'],
  [
    'code 1 of segment N is no CPF',
    lotOf(payment('N', {}, { 117: '01', 119: '00052998224725' })),
    3,
    119,
    'a CNPJ of 12',
  ],
];

describe('a file is refused, by record, column and expected value:', () => {
  test('the file from which the others are made is accepted', async () => {
    expect(await checkCnab240(inChunks(fileOf(GOOD)))).toMatchObject({ paymentCount: 2 });
  });

  test.each(cases)('%s', async (_, lines, record, column, expected) => {
    const checked = checkCnab240(inChunks(fileOf(lines)));
    await expect(checked).rejects.toMatchObject({ name: 'Cnab240Invalid', record, column });
    await expect(checked).rejects.toThrow(`Record ${record}, column ${column}: expected `);
    await expect(checked).rejects.toThrow(expected);
  });
});

describe('an error', () => {
  const messageOf = async (lines: string[]): Promise<string> =>
    checkCnab240(inChunks(fileOf(lines))).then(String, (error: Error) => error.message);

  test('shows the bytes that were found, without control characters', async () => {
    expect(await messageOf(changed(3, { 15: '5' }))).toBe(
      'Record 3, column 15: expected movement 0 (include) or 9 (exclude), found "5".',
    );
    expect(await messageOf(changed(3, { 120: '\x1b[31m\x00\x9b0000000Ç' }))).toContain(
      'found "?[31m??0000000Ç"',
    );
  });

  test('does not show the number of a payer', async () => {
    expect(await messageOf([fileHeader({ 18: '1' }), lotHeader()])).not.toContain('11222333000181');
  });
});
