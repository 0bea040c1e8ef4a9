import { readFileSync, writeFileSync } from 'node:fs';
import type { Calls } from '../../measure/calls.ts';
import { costOf, type IdleMinute, idleCostOf, REGIONS } from './costs.ts';

// The tables of docs/aws.md that are counted. `npm run bench -- calls` writes them, and each test that counts an operation
// compares its row.

const PAGE = 'docs/aws.md';

/** The operations of the table, in its order. */
export const OPERATIONS = [
  'session: create',
  'session: status',
  'session: sign a PDF',
  'documents: upload',
  'documents: create one',
  'documents: start a signature',
  'documents: complete a signature',
  'documents: create and start at once',
  'documents: deliver a webhook',
  'batch: an uploaded file',
  'batch: a file of a folder',
  'hub: sign a hash, first of a session',
  'hub: sign a hash, next of a session',
  'hub: sign a hash, session of a single use',
  'authentication: prepare',
  'authentication: complete',
  'credentials: a degree, 2 files, 2 signers',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export const isOperation = (name: string): name is Operation => OPERATIONS.includes(name as Operation);

type Cells = readonly string[];

const regionHeads = (per: string): Cells => REGIONS.map((region) => `${region}, $ ${per}`);
const HEADS = {
  operations: ['Operation', 'Calls', 'Items', ...regionHeads('per 1,000')],
  idle: ['Function runs', 'Store calls', ...regionHeads('a month')],
};
type Table = keyof typeof HEADS;

/** The row of an operation. */
export const operationCells = (operation: Operation, calls: Calls): Cells => [
  operation,
  String(calls.total),
  String(calls.items),
  ...REGIONS.map((region) => costOf(calls, region).toFixed(4)),
];

/** The row of an idle minute. */
export const idleCells = (minute: IdleMinute): Cells => [
  minute.runs.toFixed(1),
  minute.storeCalls.toFixed(1),
  ...REGIONS.map((region) => idleCostOf(minute, region).toFixed(2)),
];

const marksOf = (table: Table) => [`<!-- counted: ${table} -->\n\n`, `\n<!-- end of ${table} -->`] as const;

/** The rows of a table as the page has them. */
export function documentedRows(table: Table): Cells[] {
  const [from, to] = marksOf(table);
  const [, after = ''] = readFileSync(PAGE, 'utf8').split(from);
  const [text = ''] = after.split(to);
  const [, , ...rows] = text.trim().split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Writes a table into the page. */
export function writeRows(table: Table, rows: readonly Cells[]): void {
  const [from, to] = marksOf(table);
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', after = ''] = page.split(from);
  const [, rest = ''] = after.split(to);
  writeFileSync(PAGE, `${before}${from}${tableOf(HEADS[table], rows)}${to}${rest}`);
}

function tableOf(heads: Cells, rows: readonly Cells[]): string {
  const widths = heads.map((head, n) => Math.max(head.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: Cells) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |\n`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}
