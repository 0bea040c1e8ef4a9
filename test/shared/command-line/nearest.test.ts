import { describe, expect, test } from 'vitest';
import { didYouMean, nearest } from '../../../shared/command-line/nearest.ts';

describe('the name that a mistyped one most likely means', () => {
  test.each([
    ['a letter too few', 'verfy', 'verify'],
    ['two letters that changed places', 'stauts', 'status'],
    ['another letter', '--visable', '--visible'],
    ['another case', 'APPS LIST', 'apps list'],
  ])('is found for %s', (_, name, meant) => {
    expect(nearest(name, ['sign', 'apps list', 'status', '--visible', 'verify'])).toBe(meant);
  });

  test('is none where no name is close: a short word is not taken for another', () => {
    expect(nearest('ls', ['rm', 'sign'])).toBeUndefined();
    expect(nearest('--colour', ['--out', '--help'])).toBeUndefined();
    expect(didYouMean('', ['run', 'enrol'])).toBe('');
  });

  test('is a sentence after another', () => {
    expect(didYouMean('--forse', ['--force'])).toBe(' Did you mean --force?');
  });
});
