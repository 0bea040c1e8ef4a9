import { afterEach, expect, test, vi } from 'vitest';
import { isChange, isCrossOrigin } from '../../../../shared/http/request/cross-origin.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['no browser', {}, false],
  ['a page of the service', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }, false],
  ['a form of a page that tells no referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  ['a person, without any page', { 'sec-fetch-site': 'none' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
  ['another port of the host', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:9999' }, true],
  ['another site that tells no origin', { 'sec-fetch-site': 'cross-site' }, true],
  ['two values', { 'sec-fetch-site': 'same-origin, cross-site' }, true],
  ['an old browser, on a page of the service', { origin: 'http://localhost:3000' }, false],
  ['an old browser, on another site', { origin: 'https://evil.example' }, true],
  [
    'an old browser, on a site that begins like this one',
    { origin: 'http://localhost:3000.evil.example' },
    true,
  ],
  ['an old browser, by another scheme', { origin: 'https://localhost:3000' }, true],
  ['an old browser, in a frame without an origin', { origin: 'null' }, true],
] as [string, Record<string, string>, boolean][])('of a request by %s', (_, headers, expected) => {
  expect(isCrossOrigin(headers)).toBe(expected);
});

test('the origin is that of Http:PublicUrl, without its path, and never that of the Host header', () => {
  vi.stubEnv('Http__PublicUrl', 'https://sign.example/prod');
  expect(isCrossOrigin({ origin: 'https://sign.example' })).toBe(false);
  expect(isCrossOrigin({ origin: 'https://evil.example', host: 'evil.example' })).toBe(true);
});

test.each([
  [false, ['GET', 'HEAD', 'OPTIONS']],
  [true, ['POST', 'PUT', 'PATCH', 'DELETE', 'get', 'ANYTHING']],
])('that a call changes something is %s of %j', (expected, methods) => {
  for (const method of methods) expect(isChange(method)).toBe(expected);
});
