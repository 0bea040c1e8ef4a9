import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { safeReturnPath } from '../../../../functions/batch/auth/domain/return-path.ts';
import { runs } from '../../../faults/fuzz.ts';

const HOME = '/batch/';
const ORIGIN = 'http://localhost:3000';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a ReturnUrl below the base URL', () => {
  test.each([
    ['/', HOME],
    ['/jobs', '/batch/jobs'],
    ['/batch', HOME],
    ['/batch/', HOME],
    ['/batch/jobs', '/batch/jobs'],
    ['/jobs?status=Failed&page=2#top', '/batch/jobs?status=Failed&page=2#top'],
    ['/jobs?next=https%3A%2F%2Fevil.example', '/batch/jobs?next=https%3A%2F%2Fevil.example'],
    ['/jobs?next=//evil.example', '/batch/jobs?next=//evil.example'],
    ['/jobs/../profiles', '/batch/profiles'],
    ['/jobs/a%20b', '/batch/jobs/a%20b'],
    // Only a path of the service itself, though it reads like one of another.
    ['/documents/verification', '/batch/documents/verification'],
    ['/batchelor', '/batch/batchelor'],
  ])('%j leads to %j', (given, path) => {
    expect(safeReturnPath(given)).toBe(path);
  });

  test('begins with the path of Http:PublicUrl, where that has one', () => {
    vi.stubEnv('Http__PublicUrl', 'https://sign.example/prod');
    expect(safeReturnPath('/jobs')).toBe('/prod/batch/jobs');
    expect(safeReturnPath('/prod/batch/jobs')).toBe('/prod/batch/jobs');
    expect(safeReturnPath('/../../x')).toBe('/prod/batch/');
    expect(safeReturnPath(undefined)).toBe('/prod/batch/');
  });
});

describe("a ReturnUrl that leads elsewhere becomes the base URL's /", () => {
  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['another host', '//evil.example'],
    ['another host, after three slashes', '///evil.example'],
    ['another host, below the base', '/batch//evil.example'],
    ['another host, below the service', '/jobs//evil.example'],
    ['a backslash', '\\\\evil.example'],
    ['a slash and a backslash', '/\\evil.example'],
    ['a backslash further on', '/jobs\\..\\..'],
    ['a scheme', 'https://evil.example/batch/'],
    ['a scheme without slashes', 'https:evil.example'],
    ['the own base URL with its scheme', 'http://localhost:3000/batch/jobs'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['a relative path', 'jobs'],
    ['a query alone', '?page=2'],
    ['user information', '@evil.example'],
    ['dot segments that leave the base', '/batch/../documents'],
    ['dot segments that leave the service', '/../documents'],
    ['dot segments at the end', '/batch/jobs/../..'],
    ['encoded dots', '/%2e%2e/documents'],
    ['encoded dots, once more', '/%252e%252e/documents'],
    ['half encoded dots', '/.%2E/documents'],
    ['an encoded slash', '/%2fevil.example'],
    ['an encoded slash, thrice', '/%25252Fevil.example'],
    ['an encoded backslash', '/%5cevil.example'],
    ['a leading space', ' //evil.example'],
    ['a space', '/jobs and more'],
    ['a tab', '/\t/evil.example'],
    ['a line break', '/jobs\r\nSet-Cookie: lbs-auth=planted'],
    ['an encoded line break', '/jobs%0d%0aSet-Cookie:x'],
    ['an encoded line break in the query', '/jobs?x=%0D%0ASet-Cookie:x'],
    ['a null', '/jobs\u0000'],
    ['an encoded null, twice', '/jobs%2500'],
    ['a delete', '/jobs\u007f'],
    ['a character that normalizes to a slash', '/\uff0fevil.example'],
    ['a direction mark', '/\u202ejobs'],
    ['a lone surrogate', '/\ud800'],
    ['too long', `/${'a'.repeat(2048)}`],
  ])('%s', (_, given) => {
    expect(safeReturnPath(given)).toBe(HOME);
  });

  const parts = [
    '/',
    '//',
    '\\',
    '..',
    '.',
    '%2e',
    '%2f',
    '%5C',
    '%25',
    '%00',
    '\t',
    '\r\n',
    ' ',
    ':',
    '@',
    '?',
  ];
  const words = ['#', 'batch', 'jobs', 'evil.example', 'https:', 'javascript:', '\u3002', '\uff0f', ';', '|'];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...parts, ...words), fc.string({ maxLength: 3 })), { maxLength: 12 })
    .map((all) => all.join(''));

  /** What the path is once any number of proxies has decoded it and read backslashes as slashes. */
  function decoded(path: string): string {
    const text = path.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return text === path ? text.replaceAll('\\', '/') : decoded(text);
  }

  test('whatever is given, the place is below the base, for a browser and behind proxies that decode', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const path = safeReturnPath(given);
        const place = new URL(path, `${ORIGIN}/batch/api/auth/login`);
        expect(place.origin).toBe(ORIGIN);
        expect(place.pathname.startsWith(HOME)).toBe(true);
        expect(path).toMatch(/^[\x21-\x7e]+$/);
        const behind = new URL(decoded(place.pathname).replace(/[?#].*/s, ''), ORIGIN);
        expect(behind.origin).toBe(ORIGIN);
        expect(behind.pathname.startsWith(HOME)).toBe(true);
        expect(safeReturnPath(path)).toBe(path);
      }),
      { numRuns: runs(5000) },
    );
  });
});
