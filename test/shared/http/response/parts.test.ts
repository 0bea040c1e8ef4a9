import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileInParts, partIn } from '../../../../shared/http/response/parts.ts';

describe('a Range of bytes', () => {
  test.each([
    ['bytes=0-99', { from: 0, length: 100 }],
    ['bytes=900-', { from: 900, length: 100 }],
    ['bytes=999-999', { from: 999, length: 1 }],
    ['bytes=500-5000', { from: 500, length: 500 }],
  ])('%s is the part of a file of 1,000 bytes that it names', (range, part) => {
    expect(partIn({ range })(1000)).toEqual(part);
  });

  test.each([
    undefined,
    '',
    'bytes=1000-',
    'bytes=5-2',
    'bytes=-5',
    'bytes=0-1,5-6',
    'lines=0-1',
    'bytes=a-b',
  ])('%s is answered with the whole file', (range) => {
    expect(partIn({ range })(1000)).toBeUndefined();
  });

  test('with a condition is answered with the whole file: it may be another one by now', () => {
    expect(partIn({ range: 'bytes=0-99', 'if-range': '"a"' })(1000)).toBeUndefined();
  });

  test('never leaves the file, whatever it says', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789,-='), maxLength: 20 });
    fc.assert(
      fc.property(digits, fc.nat(5000), (text, size) => {
        const part = partIn({ range: `bytes=${text}` })(size);
        if (!part) return;
        expect(part.length).toBeGreaterThan(0);
        expect(part.from + part.length).toBeLessThanOrEqual(size);
      }),
    );
  });
});

test('a file says that parts of it may be asked for, and a part which one it is', () => {
  const answer = (part: { from: number; length: number } | undefined) =>
    fileInParts(Readable.from([]), 'application/pdf', { name: 'a.pdf', size: 1000, part });
  const { status, headers } = answer(undefined);
  expect([status, headers['accept-ranges'], headers['content-length'], headers['content-range']]).toEqual([
    200,
    'bytes',
    '1000',
    undefined,
  ]);
  const part = answer({ from: 900, length: 100 });
  expect([part.status, part.headers['content-length'], part.headers['content-range']]).toEqual([
    206,
    '100',
    'bytes 900-999/1000',
  ]);
});
