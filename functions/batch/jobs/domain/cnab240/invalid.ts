type Problem = {
  /** The number of the record in the file, from 1. */
  readonly record: number;
  /** The first column of the field, from 1. */
  readonly column: number;
  readonly expected: string;
  /** Left out where the field identifies a person or a company: the message goes into a job and an event. */
  readonly found?: string;
  readonly note?: string;
};

/** The file is not a remittance that Banco do Brasil can read. The message names record, column and expected value. */
export class Cnab240Invalid extends Error {
  override readonly name = 'Cnab240Invalid';
  readonly record: number;
  readonly column: number;
  readonly expected: string;

  constructor({ record, column, expected, found, note }: Problem) {
    const seen = found === undefined ? '' : `, found "${printable(found)}"`;
    super(`Record ${record}, column ${column}: expected ${expected}${seen}.${note ? ` ${note}` : ''}`);
    this.record = record;
    this.column = column;
    this.expected = expected;
  }
}

// The bytes are somebody else's: control characters do not reach a log or a page.
const printable = (text: string): string => text.replace(/[^\x20-\x7e\xa1-\xff]/g, '?');
