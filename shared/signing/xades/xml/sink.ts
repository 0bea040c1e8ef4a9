import { type Digest, openHash } from '../../digest.ts';
import { XmlRefused } from '../errors.ts';

/** What becomes of a canonical form: it is hashed as it comes, or held when it is small. */
export type Sink = { take(part: Uint8Array): void; form(): Form };

/** What was asked for, or why it cannot be had. */
export type Form = Buffer | XmlRefused;

/** The bytes of a form; throws where there are none. */
export function requireForm(form: Form): Buffer {
  if (form instanceof XmlRefused) throw form;
  return form;
}

// SignedInfo with its few references; real ones stay under 5 KB.
const MAX_HELD_BYTES = 100_000;

/** How many bytes of larger forms may still be held for one document. */
export type MemoryBudget = { leftBytes: number };

// Beyond the document's own size: what an archive timestamp is over is about all of it, once.
const MAX_MORE_BYTES = 4 * 1024 * 1024;

/** @example const budget = roomFor(tree.cost.totals.bytes); */
export const memoryBudgetFor = (documentBytes: number): MemoryBudget => ({
  leftBytes: documentBytes + MAX_MORE_BYTES,
});

/** How a form is wanted: its digest, its bytes when there are not too many, or all of its bytes while there is budget. */
export type FormOutput = Digest | 'bytes' | 'octets';

/** @example const sink = sinkFor('sha256', budget); */
export function sinkFor(as: FormOutput, budget: MemoryBudget): Sink {
  if (as === 'octets') return holder(budget);
  return as === 'bytes' ? holder({ leftBytes: MAX_HELD_BYTES }) : hasher(as);
}

function hasher(digest: Digest): Sink {
  const hash = openHash(digest);
  return { take: (part) => void hash.update(part), form: () => hash.digest() };
}

function holder(budget: MemoryBudget): Sink {
  const parts: Buffer[] = [];
  let isFull = false;
  return {
    take: (part) => {
      budget.leftBytes -= part.byteLength;
      isFull ||= budget.leftBytes < 0;
      if (isFull) parts.length = 0;
      else parts.push(Buffer.from(part)); // copied: the memory is the parser's
    },
    form: () =>
      isFull
        ? new XmlRefused('too-complex', 'A part of a signature has more bytes than can be held.')
        : Buffer.concat(parts),
  };
}
