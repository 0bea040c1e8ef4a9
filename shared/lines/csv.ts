import { setImmediate } from 'node:timers/promises';

/** A record of a CSV file. */
export type CsvRecord = {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly values: readonly string[];
};

const QUOTE = '"';

/** More than any table of people has: a file of separators alone would be millions of values. */
export const MAX_VALUES = 1_000;

// Of a quoted value. Beyond it the quote counts as one that is never closed: a file may be one value.
const MAX_QUOTED_LETTERS = 1_048_576;
// The work of some milliseconds.
const LETTERS_A_TURN = 65_536;

/**
 * The records of a CSV file (RFC 4180). Blank lines are none. The separator is the one of `,`, `;` and tab that the first
 * line has most of: spreadsheets write `;` in Brazil. Throws CsvBroken where a quote is never closed, or a record has
 * more than MAX_VALUES. Others run meanwhile: a table of 10 MB takes a second, blank lines of a spreadsheet included.
 * @example for await (const { line, values } of readCsv('name;cpf\nAna;52998224725\n')) print(line, values);
 */
export async function* readCsv(text: string): AsyncGenerator<CsvRecord> {
  let turnAt = LETTERS_A_TURN;
  for (const { end, ...record } of recordsOf(text.startsWith('\ufeff') ? text.slice(1) : text)) {
    if (end >= turnAt) {
      turnAt = end + LETTERS_A_TURN;
      await setImmediate();
    }
    if (record.values.some((value) => value.trim() !== '')) yield record;
  }
}

/** Each record, blank ones too, with the place behind it. */
function* recordsOf(content: string): Generator<CsvRecord & { readonly end: number }> {
  const separator = separatorOf(content);
  let [at, line] = [0, 1];
  while (at < content.length) {
    const start = line;
    const values: string[] = [];
    for (let isMore = !isBreak(content[at]); isMore; ) {
      const value = readValue(content, at, separator);
      if (!value) throw new CsvBroken('open-quote', start);
      if (values.push(value.text) > MAX_VALUES) throw new CsvBroken('many-values', start);
      line += value.breaks;
      isMore = content[value.end] === separator;
      at = isMore ? value.end + 1 : value.end;
    }
    if (content[at] === '\r') at += content[at + 1] === '\n' ? 2 : 1;
    else if (content[at] === '\n') at += 1;
    line += 1;
    yield { line: start, values, end: at };
  }
}

/** The text of a CSV file. Spreadsheets on Windows write the encoding of their system, in which any bytes are a text. */
export function decodeCsv(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The names of the columns in the first record, without the empty columns that a spreadsheet leaves behind. */
export function columnNames(values: readonly string[]): readonly string[] {
  const names = values.map((value) => value.trim());
  while (names.at(-1) === '') names.pop();
  return names;
}

/** Whether a record has values that belong to no column: a separator in one of them is not quoted. */
export const hasValuesBeyond = (values: readonly string[], columns: number): boolean =>
  values.slice(columns).some((value) => value.trim() !== '');

/** A quoted value has no end, or a record too many values. */
export class CsvBroken extends Error {
  override readonly name = 'CsvBroken';
  readonly reason: 'open-quote' | 'many-values';
  readonly line: number;

  constructor(reason: CsvBroken['reason'], line: number) {
    super(`The record of line ${line} cannot be read: ${reason}.`);
    this.reason = reason;
    this.line = line;
  }
}

const SEPARATORS = [',', ';', '\t'];

// Far more than names of columns are.
const SEEN_LETTERS = 65_536;

function separatorOf(content: string): string {
  const [first = ''] = /^[^\r\n]*/.exec(content.slice(0, SEEN_LETTERS)) ?? [];
  const count = (separator: string): number => first.split(separator).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

type Value = { readonly text: string; readonly end: number; readonly breaks: number };

function readValue(content: string, from: number, separator: string): Value | undefined {
  if (content[from] === QUOTE) return readQuoted(content, from + 1, separator);
  let end = from;
  while (end < content.length && !isEnd(content[end], separator)) end += 1;
  return { text: content.slice(from, end), end, breaks: 0 };
}

const isEnd = (letter: string | undefined, separator: string): boolean =>
  letter === undefined || letter === separator || isBreak(letter);

const isBreak = (letter: string | undefined): boolean => letter === '\n' || letter === '\r';

/** Two quotes are one. What follows the closing one up to the separator belongs to the value, as spreadsheets read it. */
function readQuoted(content: string, from: number, separator: string): Value | undefined {
  const isInside = (at: number): boolean => at !== -1 && at - from <= MAX_QUOTED_LETTERS;
  let quote = content.indexOf(QUOTE, from);
  while (isInside(quote) && content[quote + 1] === QUOTE) quote = content.indexOf(QUOTE, quote + 2);
  if (!isInside(quote)) return undefined;
  const text = content.slice(from, quote).replaceAll('""', QUOTE);
  const at = quote + 1;
  let end = at;
  while (end < content.length && !isEnd(content[end], separator)) end += 1;
  const breaks = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  return { text: text + content.slice(at, end), end, breaks };
}

/**
 * A CSV file that spreadsheets open as it is: in UTF-8 with its mark, and with `;`, as they write it in Brazil.
 * @example writeCsv([['line', 'reason'], ['7', 'is not a CPF']])
 */
export const writeCsv = (records: readonly (readonly string[])[]): string =>
  `\ufeff${records.map((values) => `${values.map(quoted).join(';')}\r\n`).join('')}`;

// Formula injection: a value that begins like a formula would be computed by a spreadsheet.
const quoted = (value: string): string => {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
