import { expect, test } from 'vitest';
import { formatSize } from '../../../shared/ui/numbers.ts';

test.each([
  [0, '0 bytes', '0 byte'],
  [999, '999 bytes', '999 bytes'],
  [1_000, '1 kB', '1 kB'],
  [2_499, '2 kB', '2 kB'],
  [1_250_000, '1.3 MB', '1,3 MB'],
  [104_857_600, '104.9 MB', '104,9 MB'],
])('%i bytes are shown as people of each language read sizes', (bytes, english, portuguese) => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  expect(plain(formatSize('en', bytes))).toBe(english);
  expect(plain(formatSize('pt-BR', bytes))).toBe(portuguese);
});
