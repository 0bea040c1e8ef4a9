import { type ContentKind, contentKindOf } from '../../../../shared/signing/format-of.ts';

// A document type of XML may follow long comments. Further on it is found when the document is signed.
const LOOKED_AT_BYTES = 65_536;

/** The kind of a file that is in memory. */
export const kindOf = (bytes: Uint8Array): ContentKind => contentKindOf(bytes.subarray(0, LOOKED_AT_BYTES));

/**
 * Passes a file on and looks at its beginning. `kind` is known when all of it has passed.
 * @example const { content, kind } = observeKind(stream);
 */
export function observeKind(source: AsyncIterable<Uint8Array>) {
  let head = Buffer.alloc(0);
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (head.length < LOOKED_AT_BYTES)
        head = Buffer.concat([head, chunk.subarray(0, LOOKED_AT_BYTES - head.length)]);
      yield chunk;
    }
  }
  return { content: pass(), kind: (): ContentKind => contentKindOf(head) };
}
