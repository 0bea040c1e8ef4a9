import type { Digest } from '../digest.ts';
import { openHash } from '../digest.ts';
import type { Increment } from './pdf/increment.ts';
import { eachSlice, type Source } from './pdf/source.ts';
import type { PdfRef } from './pdf/values.ts';

/** The gap in the signed bytes that the signature itself goes into. Offsets are in the whole file. */
export type ContentsPlaceholder = {
  readonly byteRangeAt: number;
  /** Of the `<` that opens the string. */
  readonly contentsAt: number;
  /** Room for the signature; in the file it takes twice as many digits, and the two delimiters. */
  readonly contentsBytes: number;
};

// Four numbers of ten digits with blanks between them: room for any offset, since it is known only at the end.
const BYTE_RANGE_DIGITS = 4 * 10 + 3;

const placeholderEnd = ({ contentsAt, contentsBytes }: ContentsPlaceholder): number =>
  contentsAt + 2 * contentsBytes + 2;

/** Writes a signature dictionary with the hole in it. */
export function putSignature(
  update: Increment,
  ref: PdfRef,
  { head, tail, contentsBytes }: { head: string; tail: string; contentsBytes: number },
): ContentsPlaceholder {
  let byteRangeAt = 0;
  let contentsAt = 0;
  update.put(
    ref,
    `<<${head}/ByteRange[`,
    () => {
      byteRangeAt = update.position();
      return ' '.repeat(BYTE_RANGE_DIGITS);
    },
    ']/Contents',
    () => {
      contentsAt = update.position();
      return '<';
    },
    Buffer.alloc(2 * contentsBytes, '0'),
    `>${tail}>>`,
  );
  return { byteRangeAt, contentsAt, contentsBytes };
}

/** Writes which bytes are signed, when the length of all of them is known. */
export function fillByteRange(increment: Buffer, fileBytes: number, hole: ContentsPlaceholder): void {
  const end = placeholderEnd(hole);
  const range = `0 ${hole.contentsAt} ${end} ${fileBytes + increment.length - end}`;
  increment.write(range.padEnd(BYTE_RANGE_DIGITS), hole.byteRangeAt - fileBytes, 'latin1');
}

/** The hash of everything but the hole. */
export function hashAround(source: Source, hole: ContentsPlaceholder, digest: Digest): Buffer {
  const hash = openHash(digest);
  const take = (slice: Buffer): void => void hash.update(slice);
  eachSlice(source, 0, hole.contentsAt, take);
  eachSlice(source, placeholderEnd(hole), source.length, take);
  return hash.digest();
}

/** The signature did not fit in the room that was left for it: prepare again with `neededBytes`. */
export class ContentsTooSmall extends Error {
  override readonly name = 'ContentsTooSmall';
  readonly neededBytes: number;

  constructor(neededBytes: number, roomBytes: number) {
    super(
      `The signature has ${neededBytes} bytes and ${roomBytes} were left for it: prepare again with contentsBytes of at least ${neededBytes}.`,
    );
    this.neededBytes = neededBytes;
  }
}

/** The increment with the signature in it. What is left of the hole stays zeros. */
export function fillContents(
  increment: Buffer,
  fileBytes: number,
  { contentsAt, contentsBytes }: Omit<ContentsPlaceholder, 'byteRangeAt'>,
  der: Buffer,
): Buffer {
  if (der.length > contentsBytes) throw new ContentsTooSmall(der.length, contentsBytes);
  const whole = Buffer.from(increment);
  whole.write(der.toString('hex'), contentsAt + 1 - fileBytes, 'latin1');
  return whole;
}
