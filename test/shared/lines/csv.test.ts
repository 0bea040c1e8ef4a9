import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvBroken, readCsv } from '../../../shared/lines/csv.ts';
import { runs } from '../../faults/fuzz.ts';

const read = (text: string) => [...readCsv(text)].map(({ line, values }) => [line, ...values]);

test.each([
  [
    'commas',
    'a,b\n1,2\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'semicolons, as spreadsheets in Brazil write them',
    'a;b\r\n1,5;2\r\n',
    [
      [1, 'a', 'b'],
      [2, '1,5', '2'],
    ],
  ],
  [
    'tabs',
    'a\tb\n1\t2',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  ['a byte order mark', '\ufeffa,b\n', [[1, 'a', 'b']]],
  [
    'quotes around separators, quotes and line breaks',
    'a,b\n"1,""x""","2\n3"\n4,5',
    [
      [1, 'a', 'b'],
      [2, '1,"x"', '2\n3'],
      [4, '4', '5'],
    ],
  ],
  [
    'blank lines, which count but are no records',
    'a,b\n\n , \n1,2\n\n',
    [
      [1, 'a', 'b'],
      [4, '1', '2'],
    ],
  ],
  [
    'too few and too many values',
    'a,b\n1\n1,2,3\n1,',
    [
      [1, 'a', 'b'],
      [2, '1'],
      [3, '1', '2', '3'],
      [4, '1', ''],
    ],
  ],
  [
    'old line ends',
    'a,b\r1,2\r',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  ['nothing', '', []],
])('reads %s', (_, text, records) => {
  expect(read(text)).toEqual(records);
});

test('a quote that is never closed is told by the line of its record', () => {
  expect(() => read('a,b\n1,2\n"3,4\n5,6\n')).toThrow(CsvBroken);
  expect(() => read('a,b\n1,2\n"3,4\n5,6\n')).toThrow('line 3');
});

test('a record has a thousand values at most, whichever it is', () => {
  const most = Array(1_000).fill('a').join(';');
  expect([...readCsv(`${most}\n${most}\n`)].map(({ values }) => values.length)).toEqual([1_000, 1_000]);
  for (const lines of [1, 2]) {
    const reading = () => [...readCsv(`${`${most}\n`.repeat(lines - 1)}${most};`)];
    expect(reading).toThrow(expect.objectContaining({ reason: 'many-values', line: lines }));
  }
});

test('whatever is written is read again, and anything else never hangs', () => {
  const value = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', 'é', ' ') });
  const records = fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { maxLength: 5 });
  fc.assert(
    fc.property(records, (rows) => {
      const quoted = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','));
      const found = [...readCsv(['x,y', ...quoted].join('\n'))].slice(1).map(({ values }) => values);
      expect(found).toEqual(rows.filter((row) => row.some((each) => each.trim() !== '')));
    }),
    { numRuns: runs(1_000) },
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r') }), (text) => {
      try {
        read(text);
      } catch (error) {
        expect(error).toBeInstanceOf(CsvBroken);
      }
    }),
    { numRuns: runs(1_000) },
  );
});
