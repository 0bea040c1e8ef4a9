import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkCnab240 } from '../../../../../functions/batch/jobs/domain/cnab240/check.ts';
import { Cnab240Invalid } from '../../../../../functions/batch/jobs/domain/cnab240/invalid.ts';
import {
  type ListedPayment,
  readPayments,
} from '../../../../../functions/batch/jobs/domain/cnab240/payments-list.ts';
import { complement, fileOf, inChunks, payment, remittance } from './remittance.ts';

async function list(...lots: readonly (readonly string[])[]): Promise<ListedPayment[]> {
  const payments: ListedPayment[] = [];
  await readPayments(inChunks(fileOf(remittance(...lots)), 1_000), (each) => payments.push(each));
  return payments;
}
const first = async (...details: readonly string[]) => (await list(details))[0];

describe('the payments of a remittance', () => {
  test('are read with payee, document, account, date and value, in their order', async () => {
    const account = { 29: '5', 42: 'X', 44: 'JOSÉ DA CONCEIÇÃO' };
    expect(
      await list(
        [payment('A', { value: 123_456, date: '15012027' }, account), complement('B'), complement('C')],
        [payment('J', { value: 1 })],
      ),
    ).toEqual([
      {
        segment: 'A',
        included: true,
        centavos: 123_456n,
        date: '2027-01-15',
        payee: 'JOSÉ DA CONCEIÇÃO',
        document: { kind: 'CPF', shown: '***.982.247-**', whole: '529.982.247-25' },
        account: { bank: '001', branch: '1234-5', account: '54321-X' },
        barcode: null,
      },
      {
        segment: 'J',
        included: true,
        centavos: 1n,
        date: '2099-12-31',
        payee: 'CEDENTE',
        document: null,
        account: null,
        barcode: '00191876500000123450000001234567890123456789',
      },
    ]);
  });

  test('have the document of the segment B that follows them, and of no other', async () => {
    const cnpj = { 18: '2', 19: '11222333000181' };
    const read = await list([payment('A'), payment('A'), complement('B', cnpj), payment('A')]);
    expect(read.map(({ document }) => document?.shown)).toEqual([undefined, '11.222.333/0001-81', undefined]);
  });

  test.each([
    ['after a segment C of the A', [[payment('A'), complement('C'), complement('B')]]],
    ['after a J', [[payment('J'), complement('B')]]],
    ['at the beginning of the lot', [[complement('B'), payment('A')]]],
    ['in the lot after that of the A', [[payment('A')], [complement('B')]]],
  ])('have none of a segment B that stands %s', async (_, lots) => {
    expect((await list(...lots)).map(({ document }) => document)).toEqual([null]);
  });

  test('of taxes keep their taxpayer where a segment B follows', async () => {
    const [paid] = await list([payment('N'), complement('B')]);
    expect(paid).toMatchObject({ document: { kind: 'CNPJ', shown: '11.222.333/0001-81' } });
  });

  test.each([
    ['a CPF of zeros', { 18: '1', 19: '00000000000000' }],
    ['blanks', { 18: '2', 19: ' '.repeat(14) }],
    ['a number of another kind', { 18: '3', 19: '00012345678901' }],
    ['a CPF that does not fit', { 18: '1', 19: '12352998224725' }],
  ])('have none where segment B has %s', async (_, columns) => {
    expect(await first(payment('A'), complement('B', columns))).toMatchObject({ document: null });
  });

  test('are cancellations where the movement excludes them', async () => {
    expect(await first(payment('O', { movement: '9' }))).toMatchObject({
      included: false,
      payee: 'CONCESSIONARIA',
    });
  });

  test('of taxes have the taxpayer, whose codes are the other way round', async () => {
    expect(await first(payment('N'))).toMatchObject({
      payee: 'CONTRIBUINTE',
      document: { kind: 'CNPJ', shown: '11.222.333/0001-81' },
    });
    const person = { 117: '02', 119: '00052998224725' };
    expect(await first(payment('N', {}, person))).toMatchObject({ document: { kind: 'CPF' } });
  });

  test('have no account where it is all zeros', async () => {
    expect(await first(payment('A', {}, { 30: '0'.repeat(12) }))).toMatchObject({ account: null });
  });

  test('have no control characters, whatever the bytes are', async () => {
    const { payee } = (await first(payment('A', {}, { 44: 'A\u0000B\u001bC\u0085D' }))) ?? {};
    expect(payee).toMatch(/^A\?B\?C\?D/);
  });

  test('come with the SHA-256 of the file, and are those that the check counts', async () => {
    const details = [payment('A'), complement('B'), payment('J'), complement('J-52'), payment('O')];
    const file = fileOf(remittance(details, [payment('N', { movement: '9' })]));
    let count = 0;
    const sha256 = await readPayments(inChunks(file, 7), () => {
      count += 1;
    });
    expect(sha256).toBe(createHash('sha256').update(file).digest('hex'));
    const { paymentCount, cancellationCount } = await checkCnab240(inChunks(file));
    expect(count).toBe(paymentCount + cancellationCount);
  });

  test.each([
    ['is cut', (bytes: Buffer) => bytes.subarray(0, -300)],
    ['is no remittance', () => Buffer.from('x'.repeat(480))],
    ['is empty', () => Buffer.alloc(0)],
  ])('are refused where the file %s', async (_, change) => {
    const bytes = change(fileOf(remittance([payment('A')])));
    await expect(readPayments(inChunks(bytes), () => undefined)).rejects.toThrow(Cnab240Invalid);
  });
});
