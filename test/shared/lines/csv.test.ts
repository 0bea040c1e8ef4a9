import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvBroken, readCsv } from '../../../shared/lines/csv.ts';
import { runs } from '../../faults/fuzz.ts';

async function read(text: string): Promise<(number | string)[][]> {
  const records = [];
  for await (const { line, values } of readCsv(text)) records.push([line, ...values]);
  return records;
}

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
])('reads %s', async (_, text, records) => {
  expect(await read(text)).toEqual(records);
});

test('a quote that is never closed is told by the line of its record', async () => {
  await expect(read('a,b\n1,2\n"3,4\n5,6\n')).rejects.toThrow(CsvBroken);
  await expect(read('a,b\n1,2\n"3,4\n5,6\n')).rejects.toThrow('line 3');
});

test('a record has a thousand values at most, whichever it is', async () => {
  const most = Array(1_000).fill('a').join(';');
  expect((await read(`${most}\n${most}\n`)).map(({ length }) => length)).toEqual([1_001, 1_001]);
  for (const lines of [1, 2]) {
    const reading = read(`${`${most}\n`.repeat(lines - 1)}${most};`);
    await expect(reading).rejects.toThrow(expect.objectContaining({ reason: 'many-values', line: lines }));
  }
});

test('a value in quotes has a million letters at most', async () => {
  const text = 'x'.repeat(1_048_576);
  expect(await read(`a,b\n"${text}",1\n`)).toEqual([
    [1, 'a', 'b'],
    [2, text, '1'],
  ]);
  await expect(read(`a,b\n1,2\n"${text}x",1\n`)).rejects.toThrow('line 3');
  await expect(read(`a,b\n1,2\n"${'""'.repeat(1_000_000)}"\n`)).rejects.toThrow('line 3');
});

// The rows that a spreadsheet leaves behind are as many as its sheet has.
test.each([
  ['blank lines', '\n'],
  ['blank values', ';;;;\n'],
  ['values', 'x;y\n'],
])('others run while a large table of %s is read', async (_, line) => {
  const turns = async () => {
    let count = 0;
    let isRead = false;
    const reading = read(`a;b\n${line.repeat(1_000_000 / line.length)}`).finally(() => {
      isRead = true;
    });
    for (; !isRead; count++) await turn();
    await reading;
    return count;
  };
  expect(await turns()).toBeGreaterThanOrEqual(15);
});

test('whatever is written is read again, and anything else never hangs', async () => {
  const value = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', 'é', ' ') });
  const records = fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(records, async (rows) => {
      const quoted = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','));
      const found = (await read(['x,y', ...quoted].join('\n'))).slice(1).map(([, ...values]) => values);
      expect(found).toEqual(rows.filter((row) => row.some((each) => each.trim() !== '')));
    }),
    { numRuns: runs(1_000) },
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r') }), async (text) => {
      try {
        await read(text);
      } catch (error) {
        expect(error).toBeInstanceOf(CsvBroken);
      }
    }),
    { numRuns: runs(1_000) },
  );
});
