import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Line, lineSplitter, START } from '../../../shared/lines/split-lines.ts';

type Options = Parameters<typeof lineSplitter>[0];

function split(chunks: readonly Uint8Array[], options: Partial<Options> = {}): Line[] {
  const splitter = lineSplitter({ maxLineBytes: 1_000, ...options });
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

const textsOf = (text: string, options: Partial<Options> = {}) =>
  split([Buffer.from(text)], options).map(({ number, isBlank, bytes }) => [
    number,
    isBlank ? 'blank' : (bytes?.toString() ?? 'too long'),
  ]);

describe('lines of a file', () => {
  test('end with LF, with CR LF or with the file', () => {
    const lines = [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ];
    expect(textsOf('a\nb\nc\n')).toEqual(lines);
    expect(textsOf('a\r\nb\r\nc\r\n')).toEqual(lines);
    expect(textsOf('a\nb\r\nc')).toEqual(lines);
    expect(textsOf('')).toEqual([]);
  });

  test('are numbered with the blank ones, which hold spaces, tabs and nothing else', () => {
    expect(textsOf('\n \t\r\na\n\n')).toEqual([
      [1, 'blank'],
      [2, 'blank'],
      [3, 'a'],
      [4, 'blank'],
    ]);
  });

  test('begin after the byte order mark of the file, and no other line loses one', () => {
    expect(textsOf('\uFEFFa\n\uFEFFb\n')).toEqual([
      [1, 'a'],
      [2, '\uFEFFb'],
    ]);
    expect(textsOf('\uFEFF\n')).toEqual([[1, 'blank']]);
  });

  test('keep a CR that is not at their end', () => {
    expect(textsOf('a\rb\n')).toEqual([[1, 'a\rb']]);
  });

  test('may have as many bytes as allowed, without their end', () => {
    expect(textsOf('aaa\naaa\r\naaaa\naaaa\r\nb', { maxLineBytes: 3 })).toEqual([
      [1, 'aaa'],
      [2, 'aaa'],
      [3, 'too long'],
      [4, 'too long'],
      [5, 'b'],
    ]);
  });

  test('that are too long are not held', () => {
    const splitter = lineSplitter({ maxLineBytes: 10 });
    const chunk = Buffer.alloc(1_000, 'a');
    for (let n = 0; n < 1_000; n++) expect(splitter.push(chunk)).toEqual([]);
    expect(splitter.push(Buffer.from('\n'))).toEqual([
      { number: 1, end: 1_000_001, isBlank: false, bytes: undefined },
    ]);
  });
});

const file = fc
  .array(fc.constantFrom('a', '"', '\n', '\r\n', '\r', ' ', '\t', '\uFEFF', 'ã', '\0', 'long line '), {
    maxLength: 60,
  })
  .map((parts) => Buffer.from(parts.join('')));
const CHUNKS = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 20 });

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = n < sizes.length ? (sizes[n] ?? 0) : bytes.length;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

test('lines are the same however the file is cut into chunks', () => {
  fc.assert(
    fc.property(file, CHUNKS, fc.integer({ min: 1, max: 12 }), (bytes, sizes, maxLineBytes) => {
      expect(split(cut(bytes, sizes), { maxLineBytes })).toEqual(split([bytes], { maxLineBytes }));
    }),
  );
});

test('reading on from any line gives the lines after it', () => {
  fc.assert(
    fc.property(file, CHUNKS, (bytes, sizes) => {
      const all = split([bytes]);
      expect(all.at(-1)?.end ?? 0).toBe(bytes.length);
      for (const [n, { number: line, end: offset }] of all.entries()) {
        const rest = cut(bytes.subarray(offset), sizes);
        expect(split(rest, { from: { line, offset } })).toEqual(all.slice(n + 1));
      }
      expect(split([bytes], { from: START })).toEqual(all);
    }),
  );
});
