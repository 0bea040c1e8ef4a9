import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, headStyle, inkOn } from '../../../shared/brand/branding.ts';

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

test('text on any color has the contrast that WCAG AA asks for', () => {
  fc.assert(fc.property(color, (any) => contrastOf(any, inkOn(any)) >= 4.5));
  expect([inkOn('#ffd400'), inkOn('#1f4f82')]).toEqual(['#000000', '#ffffff']);
  expect(Math.round(contrastOf('#000000', '#ffffff'))).toBe(21);
});

test('only a color reaches a style', () => {
  expect(headStyle({ color: '#1f4f82' })).toContain('background:#1f4f82;color:#ffffff');
  for (const wrong of [null, 'red', '#fff', '#123456}body{display:none', '#12345g'])
    expect(headStyle({ color: wrong })).toBe('');
});
