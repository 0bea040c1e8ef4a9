import { Cnab240Invalid } from './invalid.ts';
import { RECORD_BYTES } from './positions.ts';
import type { FileRecord } from './record.ts';

const LF = 0x0a;
const CR = 0x0d;
const DELIMITER_NAMES = { '': 'no delimiter', '\n': 'LF', '\r\n': 'CR LF' } as const;
type Delimiter = keyof typeof DELIMITER_NAMES;

// A record and the longest delimiter: with that many bytes a record can be read, and its delimiter told.
const LOOKAHEAD_BYTES = RECORD_BYTES + 2;

/**
 * Reads the records of a file one after the other and returns how many there are. Records are divided by CRLF, by LF
 * or by nothing: the first record decides, and all others follow it. The last delimiter may be missing. Holds one chunk
 * and one record at a time.
 * @example const count = await readRecords(stream, (record) => check(record));
 */
export async function readRecords(
  source: AsyncIterable<Uint8Array>,
  visit: (record: FileRecord) => void,
): Promise<number> {
  let rest: Buffer = Buffer.alloc(0);
  let delimiter: Delimiter | undefined;
  let number = 0;

  const readFrom = (bytes: Buffer, minBytes: number): Buffer => {
    let at = 0;
    while (bytes.length - at >= minBytes) {
      number += 1;
      const record = { number, bytes: bytes.subarray(at, at + RECORD_BYTES) };
      requireWhole(record);
      at += RECORD_BYTES;
      delimiter ??= delimiterAt(bytes, at);
      if (at < bytes.length) requireDelimiter(number, bytes.subarray(at, at + delimiter.length), delimiter);
      at += delimiter.length;
      visit(record);
    }
    return bytes.subarray(at);
  };

  for await (const chunk of source) {
    rest = readFrom(rest.length > 0 ? Buffer.concat([rest, chunk]) : viewOf(chunk), LOOKAHEAD_BYTES);
    rest = Buffer.from(rest); // a copy: the source may use the chunk's memory again
  }
  readFrom(rest, 1);
  return number;
}

const viewOf = (chunk: Uint8Array): Buffer => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

function delimiterAt(bytes: Buffer, at: number): Delimiter {
  if (bytes[at] === LF) return '\n';
  return bytes[at] === CR && bytes[at + 1] === LF ? '\r\n' : '';
}

// Lines of 239 bytes and an LF look like records of 240 bytes without delimiter, so no record may contain one.
function requireWhole({ number, bytes }: FileRecord): void {
  const end = [bytes.indexOf(LF), bytes.indexOf(CR)].filter((at) => at >= 0);
  if (end.length > 0)
    refuse(number, Math.min(...end) + 1, `${RECORD_BYTES} bytes before the end of the line`);
  if (bytes.length < RECORD_BYTES)
    refuse(number, bytes.length + 1, `${RECORD_BYTES} bytes before the end of the file`);
}

function requireDelimiter(number: number, bytes: Buffer, delimiter: Delimiter): void {
  if (bytes.toString('latin1') === delimiter) return;
  refuse(
    number,
    RECORD_BYTES + 1,
    `${DELIMITER_NAMES[delimiter]} after ${RECORD_BYTES} bytes, as after record 1`,
  );
}

function refuse(record: number, column: number, expected: string): never {
  throw new Cnab240Invalid({ record, column, expected });
}
