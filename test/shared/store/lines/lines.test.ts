import { expect, test } from 'vitest';
import { lineOf, parseLine } from '../../../../shared/store/lines/lines.ts';

test('bytes, sets and nested values survive the line of an item', () => {
  const item = {
    pk: { S: 'P' },
    sk: { S: 'S' },
    bytes: { B: Uint8Array.of(0, 255) },
    all: { L: [{ M: { inner: { BS: [Uint8Array.of(1)] } } }, { NULL: true }, { N: '1.5' }] },
  } as const;
  const line = lineOf(item as never);
  expect(line).toContain('{"Item":{"pk":{"S":"P"}');
  expect(line).toContain('"bytes":{"B":"AP8="}');
  expect(lineOf(parseLine(line))).toBe(line);
  expect(parseLine(line).bytes?.B).toEqual(Buffer.of(0, 255));
  expect(() => parseLine('{"Item":{"pk":{"S":"P"}}}')).toThrow('no key');
});
