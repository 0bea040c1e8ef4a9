/** Where reading goes on: how many lines and bytes of the file are behind. */
export type Position = { readonly line: number; readonly offset: number };

export const START: Position = { line: 0, offset: 0 };

export type Line = {
  /** From 1, blank lines included. */
  readonly number: number;
  /** The offset behind its end. */
  readonly end: number;
  readonly isBlank: boolean;
  /** Without its end of line. Undefined for one that is longer than allowed. */
  readonly bytes: Buffer | undefined;
};

const LF = 0x0a;
const CR = 0x0d;
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, CR]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits a file into lines as it arrives. A line ends with LF or CR LF, the last one also with the file. A line that is
 * too long is not held in memory.
 * @example const splitter = lineSplitter({ maxLineBytes });
 *          for await (const chunk of content) for (const line of splitter.push(chunk)) read(line);
 *          for (const line of splitter.end()) read(line);
 */
export function lineSplitter({
  maxLineBytes,
  from = START,
}: {
  readonly maxLineBytes: number;
  readonly from?: Position;
}) {
  let number = from.line;
  let end = from.offset;
  let parts: Uint8Array[] = [];
  let length = 0;

  const keep = (part: Uint8Array): void => {
    length += part.length;
    // One more for the CR that belongs to the end of the line.
    if (length <= maxLineBytes + 1) parts.push(part);
    else parts = [];
  };
  const finish = (terminatorBytes: number): Line => {
    number += 1;
    end += length + terminatorBytes;
    const bytes = length > maxLineBytes + 1 ? undefined : contentOf(Buffer.concat(parts), number);
    parts = [];
    length = 0;
    const isTooLong = bytes === undefined || bytes.length > maxLineBytes;
    return { number, end, isBlank: isBlank(bytes), bytes: isTooLong ? undefined : bytes };
  };

  return {
    push(chunk: Uint8Array): Line[] {
      const lines: Line[] = [];
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        keep(chunk.subarray(start, at));
        lines.push(finish(1));
        start = at + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      return lines;
    },
    end: (): Line[] => (length > 0 ? [finish(0)] : []),
  };
}

/** Some editors begin a file with a byte order mark. */
function contentOf(line: Buffer, number: number): Buffer {
  const isMarked = number === 1 && line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return line.subarray(isMarked ? BYTE_ORDER_MARK.length : 0, line.at(-1) === CR ? -1 : undefined);
}

const isBlank = (bytes: Buffer | undefined): boolean => bytes?.every((byte) => BLANK.has(byte)) ?? false;
