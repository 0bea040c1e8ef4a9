import { readFileSync, writeFileSync } from 'node:fs';
import { OBJECT_DIFFERENCES } from '../judged/object-differences.ts';
import { QUEUE_DIFFERENCES } from '../judged/queue-differences.ts';
import { TABLE_DIFFERENCES } from '../judged/table-differences.ts';
import type { Row } from './contract.ts';

const PAGE = 'docs/localstack.md';
const HEADING = ['Tables', 'Files and queues', 'Date', 'Passed', 'Failed by the engine’s fault'];

/** The table of what engines answer otherwise, as docs/localstack.md has it. */
export const differencesTable = (): string =>
  render([
    ['Call', 'Engine', 'AWS, and the embedded stores', 'The engine'],
    ...[...TABLE_DIFFERENCES, ...OBJECT_DIFFERENCES, ...QUEUE_DIFFERENCES].map(
      ({ call, engines, aws, engine }) => [call, engines.join(', '), aws, engine],
    ),
  ]);

/** Writes the tables of the runs and of the differences into their page, in the place of those before. */
export function writeTable(rows: readonly Row[], date: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const cells = rows.map(({ tables, files, passed, total, reasons }) => [
    tables,
    files,
    date,
    `${passed} of ${total}`,
    reasons.length > 0 ? reasons.join(' ') : 'none',
  ]);
  writeFileSync(PAGE, replaceTable(replaceTable(page, render([HEADING, ...cells])), differencesTable()));
}

/** The lines of a table, as wide as its widest cells. */
export function render(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** A page with a table in the place of the one with the same first cell. */
export function replaceTable(page: string, table: string): string {
  const first = /^\| [^|]+? +\| [^|]+?(?= )/.exec(table)?.[0] ?? '';
  const start = page.split('\n').findIndex((line) => sameHead(line, first));
  if (start < 0) throw new Error(`${PAGE} has no table that begins with "${first}".`);
  const lines = page.split('\n');
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  lines.splice(start, length < 0 ? lines.length : length, table);
  return lines.join('\n');
}

const sameHead = (line: string, first: string): boolean =>
  line.replace(/ +/g, ' ').startsWith(first.replace(/ +/g, ' '));
