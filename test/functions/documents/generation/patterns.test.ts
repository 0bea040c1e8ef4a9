import { expect, test } from 'vitest';
import {
  columnsIn,
  fillPatterns,
  fillText,
  MAX_FILLED_LETTERS,
} from '../../../../functions/documents/domain/templates/generation/patterns.ts';

test('texts at any depth name columns, and get their values once', () => {
  const value = { a: ['{{ x }} and {{y}}', 1, null], b: { c: '{{x}}' }, d: '{x} {{}} {{{z}}}' };
  expect(columnsIn(value)).toEqual(['x', 'y', '', 'z']);
  const filled = fillPatterns(value, { x: '{{y}}', y: '$&', z: '3' });
  expect(filled).toEqual({ a: ['{{y}} and $&', 1, null], b: { c: '{{y}}' }, d: '{x}  {3}' });
});

test('a name without an end costs no more than its length', () => {
  for (const hostile of ['{{', '{{ ', '{{a ', ' }', '{'])
    expect(fillText(`{{${hostile.repeat(100_000)}`, {}).length).toBeGreaterThan(0);
});

test('the length with the values has a limit, and is known before anything is filled in', () => {
  const half = MAX_FILLED_LETTERS / 2;
  const most = { a: 'x'.repeat(half - 1), b: ['{{y}}', '{{z}}'], c: 1 };
  const values = { y: 'y'.repeat(half), z: 'z' };
  expect(JSON.stringify(fillPatterns(most, values)).length).toBeGreaterThan(MAX_FILLED_LETTERS);
  const tooLong = expect.objectContaining({ code: 'InvalidRequest' });
  expect(() => fillPatterns(most, { ...values, z: 'zz' })).toThrow(tooLong);
  // Half a terabyte, if it were made.
  expect(() => fillText('{{a}}'.repeat(100_000), { a: 'x'.repeat(5_000_000) })).toThrow(tooLong);
});
