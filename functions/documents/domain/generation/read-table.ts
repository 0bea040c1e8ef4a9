import { CsvBroken, columnNames, decodeCsv, hasValuesBeyond, readCsv } from '../../../../shared/lines/csv.ts';
import { errors } from '../../errors.ts';

/** A line of the table as it is stored: its values by column, or why it is none. */
export type Row = { readonly line: number } & (
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly problem: string }
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
export function readTable(bytes: Uint8Array, uploadId: string): Table {
  const refuse = (reason: string) => errors.refuse('DataFileNotUsable', { uploadId, reason });
  const rows: Row[] = [];
  let columns: readonly string[] | undefined;
  try {
    for (const { line, values } of readCsv(decodeCsv(bytes))) {
      if (columns) rows.push(rowOf(line, values, columns));
      else columns = columnsOf(values, refuse);
      if (rows.length > MAX_ROWS)
        throw refuse(`It has more than ${MAX_ROWS} lines. Send them in several files.`);
    }
  } catch (error) {
    if (error instanceof CsvBroken)
      throw refuse(`The quote in the record of line ${error.line} is never closed.`);
    throw error;
  }
  if (!columns || rows.length === 0) throw refuse('It has no line below the names of its columns.');
  return { columns, rows };
}

function columnsOf(values: readonly string[], refuse: (reason: string) => Error): readonly string[] {
  const names = columnNames(values);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw refuse(`Two of its columns have the name "${twice}".`);
  if (names.includes('')) throw refuse('One of its columns has no name.');
  if (names.length > MAX_COLUMNS) throw refuse(`It has more than ${MAX_COLUMNS} columns.`);
  return names;
}

function rowOf(line: number, values: readonly string[], columns: readonly string[]): Row {
  if (hasValuesBeyond(values, columns.length))
    return { line, problem: `has ${values.length} values, and there are ${columns.length} columns` };
  const row = {
    line,
    values: Object.fromEntries(columns.map((column, index) => [column, (values[index] ?? '').trim()])),
  };
  const isLong = Buffer.byteLength(JSON.stringify(row)) > MAX_ROW_BYTES;
  return isLong ? { line, problem: `is longer than ${MAX_ROW_BYTES} bytes` } : row;
}
