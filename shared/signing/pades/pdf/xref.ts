import { broken } from '../refused.ts';
import type { PdfDict } from './values.ts';

/** The limit of readers; in some of them larger numbers wrap around to 0. */
export const MAX_OBJECTS = 2 ** 23;

/** The location of an object: at an offset, inside an object stream, or nowhere. */
export type Entry =
  | { readonly type: 'free' }
  | { readonly type: 'uncompressed'; readonly offset: number; readonly generation: number }
  | { readonly type: 'compressed'; readonly stream: number; readonly index: number };

/** One cross-reference section: the objects that one save of the file added or changed. */
export type Section = {
  readonly at: number;
  readonly kind: 'table' | 'stream';
  readonly trailer: PdfDict;
  readonly find: (id: number) => Entry | undefined;
  readonly runs: readonly Run[];
  /** The stream of a hybrid section: objects hidden from readers of tables (ISO 32000-2, 7.5.8.4). */
  readonly hidden?: Section;
};

/** Consecutive numbers, and the position of the first one's entry. */
export type Run = {
  readonly first: number;
  readonly count: number;
  readonly at: number;
  readonly width: number;
};

/** Finds an object's run by binary search. Entries are read on demand: a file of a million objects costs nothing. */
export function createRunFinder(runs: readonly Run[]): (id: number) => Run | undefined {
  const sorted = runs.filter(({ count }) => count > 0).sort((one, other) => one.first - other.first);
  for (const [index, run] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next && next.first < run.first + run.count)
      broken(`its cross-reference lists object ${next.first} twice in one section.`);
  }
  return (id) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const run = sorted[middle];
      if (run && run.first + run.count <= id) low = middle + 1;
      else high = middle;
    }
    const run = sorted[low];
    return run && id >= run.first ? run : undefined;
  };
}

/** The highest listed object number, plus one. */
export const sizeOf = ({ runs, hidden }: Section): number =>
  runs.reduce((size, { first, count }) => Math.max(size, first + count), hidden ? sizeOf(hidden) : 0);

/** Every object that a section lists at an offset. */
export function* objectsPlacedBy({
  runs,
  find,
}: Section): Generator<{ id: number; generation: number; offset: number }> {
  for (const { first, count } of runs)
    for (let id = first; id < first + count; id++) {
      const entry = find(id);
      if (entry?.type === 'uncompressed') yield { id, generation: entry.generation, offset: entry.offset };
    }
}
