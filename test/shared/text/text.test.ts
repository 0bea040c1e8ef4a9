import { expect, test } from 'vitest';
import { safeFileName } from '../../../shared/files/safe-name.ts';
import { normalizeText } from '../../../shared/text/normalize.ts';
import { trimEnd } from '../../../shared/text/trim-end.ts';

test('a text is normalized, up to as many marks on one letter as people write', () => {
  expect(normalizeText('Jose\u0301', 'NFC')).toBe('Jos\u00e9');
  const marks = (count: number) => `a${'\u0301\u0323'.repeat(count / 2)}`;
  expect(normalizeText(marks(30), 'NFC')).toBe(marks(30).normalize('NFC'));
  expect(normalizeText(marks(32), 'NFC')).toBe(marks(32));
});

test('characters at the end are trimmed, and those inside stay', () => {
  expect(trimEnd('contrato. .', /[.\s]/)).toBe('contrato');
  expect(trimEnd('a. .b', /[.\s]/)).toBe('a. .b');
  expect(trimEnd(' . ', /[.\s]/)).toBe('');
});

// By the square of the length, each of these would take hours.
test.each([
  ['spaces', ' '.repeat(1_000_000)],
  ['dots', '.'.repeat(1_000_000)],
  ['marks', '\u0301\u0323'.repeat(500_000)],
])('a name of a million %s is made safe in one pass', (_, run) => {
  expect(safeFileName(`a${run}b.pdf`)).toMatch(/pdf$/);
});
