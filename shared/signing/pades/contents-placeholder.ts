import { type Digest, openHash } from '../digest.ts';
import type { Increment } from './pdf/increment.ts';
import { eachSlice, type Source } from './pdf/source.ts';
import type { PdfRef } from './pdf/values.ts';

/**
 * The value of /Contents before the signature is known: the gap in the signed bytes (ISO 32000-2, 12.8.1). Offsets are in
 * the whole file.
 */
export type ContentsPlaceholder = {
  readonly byteRangeAt: number;
  /** The offset of the `<` that opens the string. */
  readonly contentsAt: number;
  /** The largest signature that fits. The file holds twice as many digits, and the two delimiters. */
  readonly contentsBytes: number;
};

// Four numbers of ten digits with blanks between them. The offsets are known only at the end.
const BYTE_RANGE_DIGITS = 4 * 10 + 3;

const placeholderEnd = ({ contentsAt, contentsBytes }: ContentsPlaceholder): number =>
  contentsAt + 2 * contentsBytes + 2;

/** Writes a signature dictionary with the placeholder in it. */
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

/** Writes the /ByteRange, once the length of the increment is known. */
export function fillByteRange(increment: Buffer, fileBytes: number, placeholder: ContentsPlaceholder): void {
  const end = placeholderEnd(placeholder);
  const range = `0 ${placeholder.contentsAt} ${end} ${fileBytes + increment.length - end}`;
  increment.write(range.padEnd(BYTE_RANGE_DIGITS), placeholder.byteRangeAt - fileBytes, 'latin1');
}

/** The hash of the whole file but the placeholder. */
export function hashAround(source: Source, placeholder: ContentsPlaceholder, digest: Digest): Buffer {
  const hash = openHash(digest);
  const take = (slice: Buffer): void => void hash.update(slice);
  eachSlice(source, 0, placeholder.contentsAt, take);
  eachSlice(source, placeholderEnd(placeholder), source.length, take);
  return hash.digest();
}

/** The signature does not fit in the placeholder: prepare again with `neededBytes`. */
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

/** Returns the increment with the signature in it. Zeros fill the rest of the placeholder. */
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
