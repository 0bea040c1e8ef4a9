import type { Readable } from 'node:stream';
import type { Range, RangeRequest } from '../../files/get.ts';
import { type Answer, file } from './answer.ts';

const ONE_RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/;

/**
 * Reads the Range of a request: RFC 9110, 14.2. Several ranges, the last bytes, a range behind the end, and one with a
 * condition are answered with the whole file, as a server may: our files have no tags.
 * @example const part = partIn(headers)(size); // { from: 0, length: 65_536 }
 */
export const partIn =
  ({ range, 'if-range': condition }: Readonly<Record<string, string | undefined>>): RangeRequest =>
  (size) => {
    const [, first, last] = (condition === undefined && ONE_RANGE.exec(range ?? '')) || [];
    if (first === undefined) return undefined;
    const from = Number(first);
    const end = Math.min(size, last === undefined ? size : Number(last) + 1);
    return from < end ? { from, length: end - from } : undefined;
  };

type FileOptions = {
  readonly name: string;
  readonly inline?: boolean;
  /** Of the whole file. */
  readonly size: number;
  /** The part that the stream is. */
  readonly part: Range | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * A file, or the part of it that was asked for, with 206.
 * @example return fileInParts(stream, 'application/pdf', { name, size, part });
 */
export const fileInParts = (
  stream: Readable,
  contentType: string,
  { size, part, headers = {}, ...options }: FileOptions,
): Answer =>
  file(stream, contentType, {
    ...options,
    status: part ? 206 : 200,
    length: part?.length ?? size,
    headers: {
      'accept-ranges': 'bytes',
      ...(part && { 'content-range': `bytes ${part.from}-${part.from + part.length - 1}/${size}` }),
      ...headers,
    },
  });
