import type { Said } from '../../../../../shared/errors/said.ts';
import {
  CsvBroken,
  columnNames,
  decodeCsv,
  hasValuesBeyond,
  MAX_VALUES,
  readCsv,
} from '../../../../../shared/lines/csv.ts';
import { refuseBecause, say } from '../../../sentences/sentences.ts';

/** A line of the table as it is stored: its values by column, or why it is none. */
export type Row = { readonly line: number } & (
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly problem: Said }
);

export type Table = { readonly columns: readonly string[]; readonly rows: readonly Row[] };

/** Documents of one generation. Whoever has more people sends several. */
export const MAX_ROWS = 5_000;
/** Far more than so many people take. */
export const MAX_TABLE_BYTES = 10_485_760;
/** Of one line as it is stored. */
export const MAX_ROW_BYTES = 65_536;

const MAX_COLUMNS = 200;

/** Reads a table of people: a CSV file whose first line names the columns. */
export async function readTable(bytes: Uint8Array, uploadId: string): Promise<Table> {
  const refuse = (reason: Said) => refuseBecause('DataFileNotUsable', reason, { uploadId });
  const rows: Row[] = [];
  let columns: readonly string[] | undefined;
  try {
    for await (const { line, values } of readCsv(decodeCsv(bytes))) {
      if (columns) rows.push(rowOf(line, values, columns));
      else columns = columnsOf(values, refuse);
      if (rows.length > MAX_ROWS) throw refuse(say('table.too-long', { lines: MAX_ROWS }));
    }
  } catch (error) {
    if (error instanceof CsvBroken)
      throw refuse(say(`table.${error.reason}`, { line: error.line, values: MAX_VALUES }));
    throw error;
  }
  if (!columns || rows.length === 0) throw refuse(say('table.empty'));
  return { columns, rows };
}

function columnsOf(values: readonly string[], refuse: (reason: Said) => Error): readonly string[] {
  const names = columnNames(values);
  if (names.length > MAX_COLUMNS) throw refuse(say('table.many-columns', { columns: MAX_COLUMNS }));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw refuse(say('table.same-columns', { name: twice }));
  if (names.includes('')) throw refuse(say('table.nameless-column'));
  return names;
}

function rowOf(line: number, values: readonly string[], columns: readonly string[]): Row {
  if (hasValuesBeyond(values, columns.length))
    return { line, problem: say('line.values', { values: values.length, columns: columns.length }) };
  const row = {
    line,
    values: Object.fromEntries(columns.map((column, index) => [column, (values[index] ?? '').trim()])),
  };
  const isLong = Buffer.byteLength(JSON.stringify(row)) > MAX_ROW_BYTES;
  return isLong ? { line, problem: say('line.too-long', { bytes: MAX_ROW_BYTES }) } : row;
}
