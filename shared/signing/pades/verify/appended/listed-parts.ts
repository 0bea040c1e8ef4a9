import { chargeMemory, chargeTime } from '../../../../bounds/budget.ts';
import { LISTED_BYTES, LOOKUP_UNITS } from '../../pdf/budget.ts';
import { skipFewBlanks } from '../../pdf/characters.ts';
import type { Pdf } from '../../pdf/document.ts';
import { countOf } from '../../pdf/values.ts';
import { objectsPlacedBy, type Section, sizeOf } from '../../pdf/xref.ts';
import { broken } from '../../refused.ts';
import { reachableSize } from './missing-refs.ts';
import { isPlainSection } from './plain-syntax.ts';

/** The parts of the file by their offsets. */
export type ListedParts = {
  /** Whether the section's own description is the same to all readers. */
  readonly sections: ReadonlyMap<number, boolean>;
  /** Number and generation of each object. */
  readonly objects: ReadonlyMap<number, string>;
};

/** The sections of the file, and the objects that the sections after `start` list. */
export function listParts(pdf: Pdf, signed: Pdf, file: Buffer, start: number): ListedParts {
  const { sections, base, budget } = pdf;
  const objects = new Map<number, string>();
  for (const section of sections.filter(({ at }) => base + at >= start))
    for (const each of [section, ...(section.hidden ? [section.hidden] : [])]) {
      for (const { count } of each.runs) chargeTime(budget, LOOKUP_UNITS * count);
      if (each !== section) refuseConflictingEntries(section, each);
      for (const { id, generation, offset } of objectsPlacedBy(each)) {
        chargeMemory(budget, LISTED_BYTES);
        const [at, named] = [skipFewBlanks(file, base + offset), `${id} ${generation}`];
        // One of the two is not there: readers that check every entry repair the file (incremental saving attack).
        if ((objects.get(at) ?? named) !== named) broken(`objects share one offset: ${named}.`);
        objects.set(at, named);
      }
    }
  const offsets = new Map<number, boolean>();
  const minSizeOf = createMinSize(signed);
  let size = 0;
  for (const section of sections.toReversed()) {
    size = Math.max(size, sizeOf(section));
    const counted = section === sections[0] ? size : sizeOf(section);
    offsets.set(base + section.at, isPlainSection(section, minSizeOf(section, counted)));
    if (section.hidden) offsets.set(base + section.hidden.at, isPlainSection(section.hidden, 0));
  }
  return { sections: offsets, objects };
}

// PDFBox lists an object in both parts of a hybrid section, with equal entries. Different entries are two objects: one
// for readers of tables, one for readers of streams (shadow attack, replace).
function refuseConflictingEntries(table: Section, hidden: Section): void {
  for (const { first, count } of hidden.runs)
    for (let id = first; id < first + count; id++) {
      const [one, other] = [table.find(id), hidden.find(id)];
      if (one?.type !== 'uncompressed' || other === undefined) continue;
      const isEqual =
        other.type === 'uncompressed' && one.offset === other.offset && one.generation === other.generation;
      if (!isEqual) broken(`object ${id} is in two places.`);
    }
}

// Readers may treat objects from /Size on as missing (ISO 32000-2, 7.5.5). The newest section's /Size counts: an earlier
// one may leave out what only older sections list, as PDFBox writes it when a save adds no object. A writer that counts
// too few of its own objects passes. Shadow attack (hide): a /Size that hides an object shown by the signed document does
// not.
function createMinSize(signed: Pdf): (section: Section, size: number) => number {
  let shown: number | undefined;
  return ({ trailer }, size) => {
    if ((countOf(trailer.get('Size')) ?? 0) >= size) return size;
    shown ??= Math.min(reachableSize(signed), countOf(signed.trailer.get('Size')) ?? size);
    return Math.min(size, shown);
  };
}
