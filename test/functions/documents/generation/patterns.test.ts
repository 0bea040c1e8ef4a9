import { expect, test } from 'vitest';
import {
  columnsIn,
  fillPatterns,
  fillText,
} from '../../../../functions/documents/domain/templates/generation/patterns.ts';

test('texts at any depth name columns, and get their values once', () => {
  const value = { a: ['{{ x }} and {{y}}', 1, null], b: { c: '{{x}}' }, d: '{x} {{}} {{{z}}}' };
  expect(columnsIn(value)).toEqual(['x', 'y', '', 'z']);
  const filled = fillPatterns(value, { x: '{{y}}', y: '$&', z: '3' });
  expect(filled).toEqual({ a: ['{{y}} and $&', 1, null], b: { c: '{{y}}' }, d: '{x}  {3}' });
});

test('a name without an end costs no more than its length', () => {
  for (const hostile of ['{{', '{{ ', '{{a ', ' }', '{'])
    expect(fillText(`{{${hostile.repeat(200_000)}`, {}).length).toBeGreaterThan(0);
});
