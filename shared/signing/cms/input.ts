import { CmsMalformed } from '../errors.ts';

/**
 * A push parser: it yields undefined to request bytes, and yields each piece of content that it meets. The same parser
 * reads a buffer or a stream of any size.
 */
export type Parser<T> = Generator<Buffer | undefined, T, Uint8Array | undefined>;

export type Input = {
  position(): number;
  /** Counts a header. Denial of service: a structure with too many is refused. */
  spend(): void;
  /** Exactly this many bytes, in memory. */
  take(count: number): Parser<Buffer>;
  /** The next bytes, not consumed: fewer than requested at the end. */
  peek(count: number): Parser<Buffer>;
  /** Passes this many bytes on as content, in the pieces that arrived. */
  pass(count: number): Parser<void>;
};

// An element with a length is taken whole. Only elements of indefinite length are walked, and real files have few.
const MAX_HEADERS = 20_000;

export function createInput(): Input {
  let held: Buffer = Buffer.alloc(0);
  let position = 0;
  let ended = false;
  let left = MAX_HEADERS;

  function* fill(count: number): Parser<void> {
    const pieces = held.length ? [held] : [];
    let size = held.length;
    while (size < count && !ended) {
      const more = yield undefined;
      if (!more) ended = true;
      else {
        pieces.push(Buffer.from(more.buffer, more.byteOffset, more.byteLength));
        size += more.byteLength;
      }
    }
    // A single piece is not copied: that would double the garbage of a large stream.
    held = pieces.length === 1 ? (pieces[0] ?? held) : Buffer.concat(pieces);
  }

  function advance(count: number): Buffer {
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    position += count;
    return taken;
  }

  return {
    position: () => position,
    spend: () => {
      if (left-- <= 0) throw new CmsMalformed(`The CMS structure has more than ${MAX_HEADERS} elements.`);
    },
    *take(count) {
      yield* fill(count);
      if (held.length < count) throw truncatedError();
      return advance(count);
    },
    *peek(count) {
      yield* fill(count);
      return held.subarray(0, count);
    },
    *pass(count) {
      for (let left = count; left > 0; ) {
        if (held.length === 0) yield* fill(1);
        if (held.length === 0) throw truncatedError();
        const piece = advance(Math.min(left, held.length));
        left -= piece.length;
        yield piece;
      }
    },
  };
}

const truncatedError = (): CmsMalformed => new CmsMalformed('The CMS structure is cut short.');

export type Source = Uint8Array | AsyncIterable<Uint8Array>;

/** Runs a parser over bytes in memory. */
export function parseBytes<T>(parser: Parser<T>, bytes: Uint8Array, onContent: (piece: Buffer) => void): T {
  let next: Uint8Array | undefined = bytes;
  let step = parser.next();
  while (!step.done) {
    if (step.value) {
      onContent(step.value);
      step = parser.next();
    } else {
      step = parser.next(next);
      next = undefined;
    }
  }
  return step.value;
}

/** Runs a parser over a stream and yields its content piece by piece; returns the parser's result. */
export async function* parseStream<T>(parser: Parser<T>, source: Source): AsyncGenerator<Buffer, T, void> {
  const chunks = chunksOf(source);
  try {
    let step = parser.next();
    while (!step.done) {
      if (step.value) {
        yield step.value;
        step = parser.next();
      } else {
        const chunk = await chunks.next();
        step = parser.next(chunk.done ? undefined : chunk.value);
      }
    }
    return step.value;
  } finally {
    await chunks.return(undefined);
  }
}

/** A source's bytes as chunks; bytes in memory are one chunk. */
export async function* chunksOf(source: Source): AsyncGenerator<Uint8Array, void, void> {
  if (source instanceof Uint8Array) yield source;
  else yield* source;
}
