import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  checkCnab240,
  isPaymentDatePassed,
} from '../../../../../functions/batch/jobs/domain/cnab240/check.ts';
import {
  type Columns,
  complement,
  fileHeader,
  fileOf,
  inChunks,
  line,
  lotHeader,
  type Primary,
  payment,
  remittance,
  withLotSums,
} from './remittance.ts';

const check = (...lots: readonly (readonly string[])[]) =>
  checkCnab240(inChunks(fileOf(remittance(...lots))));
const PRIMARIES: readonly Primary[] = ['A', 'J', 'N', 'O'];

describe('a remittance', () => {
  test('gives its total, its counts, its dates and its SHA-256', async () => {
    const file = fileOf(
      remittance(
        [payment('A', { value: 123_456, date: '15012027' }), complement('B'), complement('C')],
        [payment('O', { value: 100, date: '28022027' }), payment('O', { movement: '9', value: 999 })],
      ),
    );
    expect(await checkCnab240(inChunks(file))).toEqual({
      totalCentavos: 123_556,
      totalFormatted: 'R$ 1.235,56',
      paymentCount: 2,
      cancellationCount: 1,
      earliestPaymentDate: '2027-01-15',
      latestPaymentDate: '2027-02-28',
      contentSha256: createHash('sha256').update(file).digest('hex'),
    });
  });

  test.each(PRIMARIES)('segment %s is a payment, by its own columns of value and date', async (segment) => {
    const figures = await check([payment(segment, { value: 700, date: '03022027' })]);
    expect(figures).toMatchObject({ totalCentavos: 700, paymentCount: 1, earliestPaymentDate: '2027-02-03' });
  });

  test.each([
    ['B', 'A'],
    ['B', 'J'],
    ['B', 'N'],
    ['C', 'A'],
    ['J-52', 'J'],
    ['W', 'O'],
    ['W1', 'N'],
    ['Z', 'O'],
  ] as const)('segment %s after %s is complementary and never counted', async (segment, primary) => {
    // Its movement, value and date would count if it were read as a payment.
    const own = complement(segment, { 94: '01012020', 120: '000000000000500', 153: '000000000000500' });
    const figures = await check([payment(primary), own, payment(primary)]);
    expect(figures).toMatchObject({
      totalCentavos: 20_000,
      paymentCount: 2,
      cancellationCount: 0,
      earliestPaymentDate: '2099-12-31',
    });
  });

  test('a lot without details is a lot', async () => {
    expect(await check([])).toMatchObject({
      totalCentavos: 0,
      totalFormatted: 'R$ 0,00',
      paymentCount: 0,
      earliestPaymentDate: null,
      latestPaymentDate: null,
    });
  });

  test('the total is of inclusions only; exclusions are counted and not netted', async () => {
    const figures = await check([
      payment('A', { value: 500, date: '10022027' }),
      payment('A', { value: 300, movement: '9', date: '01011999' }),
    ]);
    expect(figures).toMatchObject({ totalCentavos: 500, paymentCount: 1, cancellationCount: 1 });
    expect(figures.earliestPaymentDate).toBe('2027-02-10');
  });

  test('a total is exact beyond what a JSON number holds, and is then a string', async () => {
    const most = { value: '9'.repeat(15) };
    const nine = Array.from({ length: 9 }, () => payment('J', most));
    const within = await check([...nine, payment('A', { value: 7_199_254_741_000 })]);
    expect(within.totalCentavos).toBe(Number.MAX_SAFE_INTEGER);
    const beyond = await check([...nine, payment('A', { value: 7_199_254_741_001 })]);
    expect(beyond).toMatchObject({
      totalCentavos: '9007199254740992',
      totalFormatted: 'R$ 90.071.992.547.409,92',
    });
  });

  test('the value sum of a lot trailer is not enforced', async () => {
    const lines = remittance([payment('A')]);
    const file = fileOf(lines.with(-2, line({ 1: lines.at(-2) ?? '', 24: '9'.repeat(18) })));
    expect(await checkCnab240(inChunks(file))).toMatchObject({ totalCentavos: 10_000 });
  });

  test.each(['00000000', '        ', '30022027', '29022027', '3112202X', '01010000', '32012027', '01132027'])(
    'a bad date %j is no date, and no error',
    async (date) => {
      const figures = await check([payment('A', { date }), payment('A', { date: '29022028' })]);
      expect(figures).toMatchObject({ paymentCount: 2, earliestPaymentDate: '2028-02-29' });
      expect(await check([payment('A', { date })])).toMatchObject({ earliestPaymentDate: null });
    },
  );

  test('columns count bytes, so a name with accents in Latin-1 moves no field', async () => {
    const figures = await check([payment('A', {}, { 44: 'JOSÉ DA CONCEIÇÃO ÀÉÎÕÜ' })]);
    expect(figures).toMatchObject({ totalCentavos: 10_000, earliestPaymentDate: '2099-12-31' });
  });
});

describe('the payer', () => {
  test.each<[string, Columns]>([
    ['a CNPJ', { 18: '2', 19: '34785515000166' }],
    ['an alphanumeric CNPJ', { 18: '2', 19: '12ABC34501DE35' }],
    ['a CPF', { 18: '1', 19: '00052998224725' }],
    ['a CNPJ that is also a correct CPF', { 18: '2', 19: '00000123456797' }],
    ['absent when it is zero', { 18: '0', 19: '00000000000000' }],
    ['absent when it is blank', { 18: ' ', 19: '              ' }],
    ['not held to check digits, which files for tests do not have', { 18: '2', 19: '12345678000100' }],
  ])('may be %s', async (_, payer) => {
    const [, , ...rest] = remittance([payment('A')]);
    const file = fileOf([fileHeader(payer), lotHeader(1, payer), ...rest]);
    expect(await checkCnab240(inChunks(file))).toMatchObject({ paymentCount: 1 });
  });

  test.each<[string, Columns]>([
    ['1 is a CNPJ', { 117: '01', 119: '34785515000166' }],
    ['1 is an alphanumeric CNPJ', { 117: '01', 119: '12ABC34501DE35' }],
    ['2 is a CPF', { 117: '02', 119: '00052998224725' }],
    ['1 may have no number', { 117: '01', 119: '00000000000000' }],
    ['3 is a NIT, which is not checked', { 117: '03', 119: '   12056412547' }],
  ])('of a segment N has inverted codes: %s', async (_, taxpayer) => {
    expect(await check([payment('N', {}, taxpayer)])).toMatchObject({ paymentCount: 1 });
  });
});

describe('segment J with 52 in columns 18 and 19', () => {
  const bank52 = payment('J', { value: 900 }, { 18: '52' });

  test('is a J-52 directly after a J', async () => {
    expect(await check([payment('J'), complement('J-52')])).toMatchObject({ paymentCount: 1 });
  });

  test('is a payment with a barcode of a bank 52x anywhere else', async () => {
    for (const details of [[bank52], [payment('A'), bank52], [payment('J'), complement('Z'), bank52]])
      expect((await check(details)).totalCentavos).toBe(10_000 * (details.length === 1 ? 0 : 1) + 900);
    expect(await check([payment('J')], [bank52])).toMatchObject({ paymentCount: 2, totalCentavos: 10_900 });
  });

  test('is a payment after a J-52, which is no J', async () => {
    const figures = await check([payment('J'), complement('J-52'), bank52, complement('J-52')]);
    expect(figures).toMatchObject({ paymentCount: 2, totalCentavos: 10_900 });
  });
});

describe('a payment date has passed', () => {
  const SAO_PAULO = 'America/Sao_Paulo';
  const paidOn = (date: string) => check([payment('A', { date }), payment('A', { date: '31122099' })]);

  test('when the earliest is before today, and not on its day', async () => {
    const figures = await paidOn('10032027');
    expect(isPaymentDatePassed(figures, Date.parse('2027-03-10T23:59:59-03:00'), SAO_PAULO)).toBe(false);
    expect(isPaymentDatePassed(figures, Date.parse('2027-03-11T00:00:00-03:00'), SAO_PAULO)).toBe(true);
  });

  test('by the date of the time zone', async () => {
    const figures = await paidOn('10032027');
    const nowMs = Date.parse('2027-03-11T01:00:00Z');
    expect(isPaymentDatePassed(figures, nowMs, SAO_PAULO)).toBe(false);
    expect(isPaymentDatePassed(figures, nowMs, 'UTC')).toBe(true);
  });

  test('never, if no payment has a date', async () => {
    const figures = await check([payment('A', { date: '00000000' })]);
    expect(isPaymentDatePassed(figures, Date.parse('2099-01-01'), SAO_PAULO)).toBe(false);
  });
});

describe('the sum in the trailer of a lot', () => {
  const stating = (sum: string, ...details: readonly string[]) =>
    checkCnab240(inChunks(fileOf(withLotSums(remittance(details), sum))));
  const details = [payment('A', { value: 1_000 }), payment('A', { movement: '9', value: 250 })];

  test.each([
    ['of all details', '000000000000001250'],
    ['of the inclusions', '000000000000001000'],
  ])('is right as the sum %s', async (_, sum) => {
    expect(await stating(sum, ...details)).not.toHaveProperty('lotSums');
  });

  test.each([
    ['another number', '000000000000001001', 'R$ 10,01'],
    ['zeros', '000000000000000000', 'R$ 0,00'],
    ['blanks', ' '.repeat(18), null],
  ])('is told where it is %s, and the file is taken', async (_, sum, stated) => {
    expect(await stating(sum, ...details)).toMatchObject({
      totalFormatted: 'R$ 10,00',
      lotSums: { count: 1, lot: '0001', stated, found: 'R$ 10,00' },
    });
  });

  test('is compared for each lot: the first that differs is told, with how many there are', async () => {
    const records = remittance([payment('A', { value: 1 })], [payment('A', { value: 2 })], [payment('A')]);
    const wrong = fileOf(withLotSums(records, '9'.repeat(18)));
    expect((await checkCnab240(inChunks(wrong))).lotSums).toMatchObject({
      count: 3,
      lot: '0001',
      found: 'R$ 0,01',
    });
  });
});
