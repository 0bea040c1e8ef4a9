import { name, type PdfRef, type PdfValue, print } from './values.ts';

export type Written = { readonly id: number; readonly generation: number; readonly offset: number };

type Trailer = ReadonlyMap<string, PdfValue>;

const byId = (one: Written, other: Written): number => one.id - other.id;

// Objects with consecutive numbers.
function runsOf(entries: readonly Written[]): Written[][] {
  const runs: Written[][] = [];
  for (const entry of entries.toSorted(byId)) {
    const run = runs.at(-1);
    if (run && entry.id === (run.at(-1)?.id ?? 0) + 1) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

const padZeros = (number: number, digits: number): string => String(number).padStart(digits, '0');

export function writeTableSection(entries: readonly Written[], trailer: Trailer, size: number): string {
  const runs = runsOf(entries).map((run) => {
    const lines = run.map(
      ({ offset, generation }) => `${padZeros(offset, 10)} ${padZeros(generation, 5)} n \n`,
    );
    return `${run[0]?.id} ${run.length}\n${lines.join('')}`;
  });
  return `xref\n${runs.join('')}trailer\n${print(new Map([...trailer, ['Size', size]]))}\n`;
}

// Type, offset (five bytes: a terabyte), generation.
const WIDTHS = [1, 5, 2] as const;
const WIDTH = WIDTHS[0] + WIDTHS[1] + WIDTHS[2];

export function writeStreamSection(
  entries: readonly Written[],
  trailer: Trailer,
  { id, generation }: PdfRef,
  at: number,
): Buffer {
  const runs = runsOf([...entries, { id, generation, offset: at }]);
  const rows = runs.flat().map((entry) => {
    const row = Buffer.alloc(WIDTH);
    row.writeUInt8(1, 0);
    row.writeUIntBE(entry.offset, 1, WIDTHS[1]);
    row.writeUIntBE(entry.generation, 1 + WIDTHS[1], WIDTHS[2]);
    return row;
  });
  const dict = new Map<string, PdfValue>([
    ['Type', name('XRef')],
    ...trailer,
    ['Size', id + 1],
    ['W', WIDTHS],
    ['Index', runs.flatMap((run) => [run[0]?.id ?? 0, run.length])],
    ['Length', rows.length * WIDTH],
  ]);
  const head = Buffer.from(`${id} ${generation} obj\n${print(dict)}\nstream\n`, 'latin1');
  return Buffer.concat([head, ...rows, Buffer.from('\nendstream\nendobj\n')]);
}
