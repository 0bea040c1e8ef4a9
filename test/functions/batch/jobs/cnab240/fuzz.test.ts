import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkCnab240 } from '../../../../../functions/batch/jobs/domain/cnab240/check.ts';
import { Cnab240Invalid } from '../../../../../functions/batch/jobs/domain/cnab240/invalid.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { countRemittance } from './oracle.ts';
import { complement, fileOf, inChunks, payment, remittance } from './remittance.ts';

const amount = fc.oneof(fc.nat(1_000_000), fc.constant('9'.repeat(15)));
const date = fc.constantFrom('31122026', '01012020', '30022027', '00000000', '29022028', '15061999');
const primary = fc
  .tuple(fc.constantFrom('A', 'J', 'N', 'O'), amount, date, fc.constantFrom('0', '0', '9'), fc.boolean())
  .map(([segment, value, paidOn, movement, bank52]) =>
    payment(segment as 'A', { value, date: paidOn, movement }, segment === 'J' && bank52 ? { 18: '52' } : {}),
  );
const details = fc
  .array(fc.tuple(primary, fc.array(fc.constantFrom('B', 'C', 'J-52', 'W', 'W1', 'Z'), { maxLength: 2 })), {
    maxLength: 5,
  })
  .map((groups) => groups.flatMap(([first, others]) => [first, ...others.map((each) => complement(each))]));
const lines = fc.array(details, { minLength: 1, maxLength: 3 }).map((lots) => remittance(...lots));

// Columns that a rule reads, and bytes that mean something there, more often than others.
const COLUMNS = [
  1, 3, 4, 7, 8, 14, 15, 18, 19, 20, 23, 24, 29, 32, 94, 96, 101, 108, 117, 118, 119, 120, 143, 153,
];
const column = fc.oneof(fc.constantFrom(...COLUMNS), fc.integer({ min: 1, max: 240 }));
const byte = fc.oneof(
  fc.constantFrom(...'0123456789ABCJNOWZ \r\n\x00\xe9').map((each) => each.charCodeAt(0)),
  fc.nat(255),
);
const edit = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'insert', 'remove', 'drop', 'repeat', 'swap'),
  record: fc.nat(),
  column,
  byte,
});
type Edit = { kind: string; record: number; column: number; byte: number };

function apply(all: readonly string[], { kind, record, column: at, byte: value }: Edit): string[] {
  const index = record % Math.max(1, all.length);
  const line = all[index] ?? '';
  const [before, after] = [line.slice(0, at - 1), line.slice(at - 1)];
  const next = all[index + 1];
  if (kind === 'set') return all.with(index, before + String.fromCharCode(value) + after.slice(1));
  if (kind === 'insert') return all.with(index, before + String.fromCharCode(value) + after);
  if (kind === 'remove') return all.with(index, before + after.slice(1));
  if (kind === 'drop') return all.toSpliced(index, 1);
  if (kind === 'repeat') return all.toSpliced(index, 0, line);
  return next === undefined ? [...all] : all.with(index, next).with(index + 1, line);
}

const file = fc
  .tuple(lines, fc.array(edit, { maxLength: 3 }), fc.constantFrom('\r\n', '\n', ''))
  .map(([all, edits, delimiter]) =>
    fileOf(
      edits.reduce<string[]>((now, each) => (now.length > 0 ? apply(now, each) : now), all),
      delimiter,
    ),
  );

const chunkSize = fc.constantFrom(17, 240, 241, 242, 1000, 65_536);

async function compare(bytes: Buffer, chunk: number): Promise<boolean> {
  const counted = countRemittance(bytes);
  const figures = await checkCnab240(inChunks(bytes, chunk)).catch((error: unknown) => {
    expect(error).toBeInstanceOf(Cnab240Invalid);
    expect((error as Cnab240Invalid).column).toBeLessThanOrEqual(241);
    return undefined;
  });
  expect(
    figures && {
      total: BigInt(figures.totalCentavos),
      payments: figures.paymentCount,
      cancellations: figures.cancellationCount,
      earliest: figures.earliestPaymentDate,
      latest: figures.latestPaymentDate,
    },
  ).toEqual(
    counted && {
      total: counted.total,
      payments: counted.payments,
      cancellations: counted.cancellations,
      earliest: counted.dates[0] ?? null,
      latest: counted.dates.at(-1) ?? null,
    },
  );
  return figures !== undefined;
}

test('a changed remittance is accepted, with the same figures, exactly if an independent count accepts it', async () => {
  const numRuns = runs(1500);
  let accepted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(file, chunkSize, async (bytes, chunk) => {
      if (await compare(bytes, chunk)) accepted += 1;
      else refused += 1;
    }),
    { numRuns },
  );
  // Both outcomes are tried often.
  expect(Math.min(accepted, refused)).toBeGreaterThan(numRuns / 15);
});

test('bytes of any kind are refused, and nothing else happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), chunkSize, async (any, chunk) => {
      expect(await compare(Buffer.from(any), chunk)).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});
