import { expect, test } from 'vitest';
import { accepts } from '../../../../shared/http/request/accepts.ts';

test.each([
  ['gzip', 'gzip', true],
  ['br, GZIP;q=0.5', 'gzip', true],
  ['br, gzip;q=0', 'gzip', false],
  ['br, gzip; q=0.000', 'gzip', false],
  ['text/jsonp', 'text/json', false],
  ['text/json;charset=utf-8', 'text/json', true],
  ['*/*', 'text/json', false],
  [undefined, 'gzip', false],
])('%s accepts %s: %s', (header, wanted, answer) => {
  expect(accepts(header, wanted)).toBe(answer);
});
