import { escapeXml } from '../xml/xml.ts';
import { packageParts } from './workbook-parts.ts';
import { writeZip, type ZipEntry } from './zip.ts';

/** The media type of .xlsx. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The rows of a worksheet, the first one included. */
const MAX_ROWS = 1_048_576;
/** The characters of a cell, in UTF-16 code units. */
const MAX_CELL_LENGTH = 32_767;
/** Rows are handed on in pieces of about this length: one by one they would cost a write each. */
const PIECE_LENGTH = 32 * 1024;

export type Workbook = {
  /** At most 31 characters, without `[]:*?/\`. */
  readonly sheetName: string;
  /** Widths are in characters. */
  readonly columns: readonly { readonly title: string; readonly width: number }[];
  readonly rows: AsyncIterable<readonly string[]>;
  readonly modifiedAtMs: number;
};

/**
 * A workbook (.xlsx) of one sheet, written as its rows are read, under a first row of titles that stays in sight. All
 * cells are text. Throws when there are more rows than a worksheet can hold: a workbook is never cut silently.
 * @example return file(Readable.from(writeWorkbook({ sheetName: 'Jobs', columns, rows, modifiedAtMs })), WORKBOOK_TYPE);
 */
export const writeWorkbook = (workbook: Workbook): AsyncGenerator<Uint8Array> =>
  writeZip(entriesOf(workbook));

/**
 * The first rows; where there are more, one last row that says so.
 * @example rows: cutRows(allRows, { maxRows: 50_000, notice: 'The list has more than 50000 rows.' })
 */
export async function* cutRows(
  rows: AsyncIterable<readonly string[]>,
  { maxRows, notice }: { readonly maxRows: number; readonly notice: string },
): AsyncGenerator<readonly string[]> {
  let left = maxRows;
  for await (const row of rows) {
    if (left-- > 0) yield row;
    else return yield [notice];
  }
}

function* entriesOf(workbook: Workbook): Generator<ZipEntry> {
  const { modifiedAtMs } = workbook;
  for (const [name, text] of packageParts(escapeXml(workbook.sheetName)))
    yield { name, content: once(text), modifiedAtMs };
  yield { name: 'xl/worksheets/sheet1.xml', content: inPieces(worksheet(workbook)), modifiedAtMs };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}

async function* worksheet({ columns, rows }: Workbook): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  yield rowOf(
    1,
    columns.map(({ title }) => title),
    TITLE,
  );
  let number = 1;
  for await (const cells of rows) {
    if (++number > MAX_ROWS) throw new RangeError(`A worksheet holds at most ${MAX_ROWS} rows.`);
    yield rowOf(number, cells, TEXT);
  }
  yield '</sheetData></worksheet>';
}

// Cell formats of xl/styles.xml, by their place there.
const TEXT = 1;
const TITLE = 2;

/**
 * Formula injection: an inline string is never a formula, whatever it begins with, and the text format keeps it a text
 * when somebody edits the cell. A program that saves the sheet as CSV loses both.
 */
function rowOf(number: number, cells: readonly string[], format: number): string {
  const written = cells.map((text, at) =>
    text === ''
      ? ''
      : `<c r="${columnName(at)}${number}" s="${format}" t="inlineStr">` +
        `<is><t xml:space="preserve">${escapeCell(text)}</t></is></c>`,
  );
  return `<row r="${number}">${written.join('')}</row>`;
}

/** @example columnName(0) // 'A' @example columnName(27) // 'AB' */
function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

// ECMA-376 22.9.2.19 (ST_Xstring): `_x0041_` in a cell stands for the letter A, so a text that has it is escaped.
const escapeCell = (text: string): string =>
  escapeXml(text.slice(0, MAX_CELL_LENGTH)).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
