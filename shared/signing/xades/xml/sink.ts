import { type Digest, openHash } from '../../digest.ts';
import { XmlRefused } from '../errors.ts';

/** What becomes of a canonical form: it is hashed as it comes, or held when it is small. */
export type Sink = { take(part: Uint8Array): void; form(): Form };

/** What was asked for, or why it cannot be had. */
export type Form = Buffer | XmlRefused;

/** The bytes of a form; throws where there are none. */
export function orRefused(form: Form): Buffer {
  if (form instanceof XmlRefused) throw form;
  return form;
}

// SignedInfo with its few references; real ones stay under 5 KB.
const MOST_HELD_BYTES = 100_000;

/** @example const sink = sinkFor('sha256'); */
export const sinkFor = (as: Digest | 'bytes'): Sink => (as === 'bytes' ? holder() : hasher(as));

function hasher(digest: Digest): Sink {
  const hash = openHash(digest);
  return { take: (part) => void hash.update(part), form: () => hash.digest() };
}

function holder(): Sink {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    take: (part) => {
      size += part.byteLength;
      if (size <= MOST_HELD_BYTES) parts.push(Buffer.from(part)); // copied: the memory is the parser's
    },
    form: () =>
      size <= MOST_HELD_BYTES
        ? Buffer.concat(parts)
        : new XmlRefused('too-complex', `A part of a signature has more than ${MOST_HELD_BYTES} bytes.`),
  };
}
