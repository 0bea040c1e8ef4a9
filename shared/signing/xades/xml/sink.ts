import { type Digest, openHash } from '../../digest.ts';
import { XmlRefused } from '../errors.ts';

/** A consumer of a canonical form: it hashes the stream, or holds it when it is small. */
export type Sink = { take(part: Uint8Array): void; form(): Form };

/** The requested bytes or digest, or the reason why there are none. */
export type Form = Buffer | XmlRefused;

/** The bytes of a form. Throws XmlRefused where there are none. */
export function requireForm(form: Form): Buffer {
  if (form instanceof XmlRefused) throw form;
  return form;
}

// Denial of service: a real SignedInfo has less than 5 KB.
const MAX_HELD_BYTES = 100_000;

/** The bytes of large forms that may still be held for one document. */
export type MemoryBudget = { leftBytes: number };

// Beyond the document's own size: an archive timestamp covers about all of it, once.
const MAX_MORE_BYTES = 4 * 1024 * 1024;

/** @example const budget = memoryBudgetFor(tree.cost.totals.bytes); */
export const memoryBudgetFor = (documentBytes: number): MemoryBudget => ({
  leftBytes: documentBytes + MAX_MORE_BYTES,
});

/** A digest of the form; 'bytes' of a small form; or 'octets', all of its bytes within the memory budget. */
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
      else parts.push(Buffer.from(part)); // a copy, because the parser reuses its memory
    },
    form: () =>
      isFull
        ? new XmlRefused('too-complex', 'A part of a signature has more bytes than can be held.')
        : Buffer.concat(parts),
  };
}
