import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addNumbers,
  canonicalNumber,
  compare,
  sortableNumber,
} from '../../../../shared/embedded/tables/values.ts';

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: -20, max: 20 }))
  .map(([digits, exponent]) => ({ text: `${digits}e${exponent}`, digits, exponent }));
const scaled = ({ digits, exponent }: { digits: bigint; exponent: number }): bigint =>
  digits * 10n ** BigInt(exponent + 20);

test('numbers sort by their value, whatever their digits and exponents are', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [x, y] = [sortableNumber(a.text), sortableNumber(b.text)];
      const order = scaled(a) < scaled(b) ? -1 : scaled(a) > scaled(b) ? 1 : 0;
      expect(x < y ? -1 : x > y ? 1 : 0).toBe(order);
      expect(Math.sign(compare({ N: a.text }, { N: b.text }) ?? Number.NaN)).toBe(order);
    }),
  );
});

test('numbers are added exactly', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      fc.pre(`${scaled(a) + scaled(b)}`.replace(/0+$/, '').length <= 38);
      expect(canonicalNumber(addNumbers(a.text, b.text))).toBe(
        canonicalNumber(`${scaled(a) + scaled(b)}e-20`),
      );
    }),
  );
});

test.each([
  ['1.50e2', '150'],
  ['-0.0', '0'],
  ['007', '7'],
  ['.5', '0.5'],
  ['1e-3', '0.001'],
  ['-12.340', '-12.34'],
])('%s is written as %s', (text, canonical) => {
  expect(canonicalNumber(text)).toBe(canonical);
});

test.each(['', '-', '1e', 'NaN', '0x10', '1 2', '1e127', '123456789012345678901234567890123456789'])(
  'the text "%s" is no number',
  (text) => {
    expect(() => canonicalNumber(text)).toThrow();
  },
);
