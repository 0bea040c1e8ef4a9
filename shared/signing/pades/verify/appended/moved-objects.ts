import { chargeList } from '../../../../bounds/budget.ts';
import { LISTED_BYTES } from '../../pdf/budget.ts';
import { skipFewBlanks } from '../../pdf/characters.ts';
import { generationOf, locate, type Pdf } from '../../pdf/document.ts';
import type { Section } from '../../pdf/xref.ts';
import { isSameLocation } from '../compare/values.ts';

/**
 * The first object that an update places inside the signed bytes, away from where the signed document has it.
 *
 * Shadow attack (hide-and-replace): the file is signed with a second, hidden version of an object, even inside a stream,
 * and the update only points to it. Such bytes were never shown, nor read as strictly as appended ones.
 */
export function findMovedObject(pdf: Pdf, signed: Pdf, file: Buffer, start: number): number | undefined {
  const [last] = signed.sections;
  for (const section of pdf.sections) {
    if (section.at === last?.at) return undefined;
    for (const each of section.hidden ? [section, section.hidden] : [section])
      for (const { first, count } of each.runs)
        for (let id = first; id < first + count; id++)
          if (
            (each !== section && isFreeInTableOnly(section, signed, id)) ||
            isMoved(pdf, signed, file, id, start)
          )
            return id;
  }
  return undefined;
}

// Shadow attack (hide) with a hybrid section: an object that is free in the table and in use in the stream beside it is
// missing to readers of tables only (ISO 32000-2, 7.5.8.4).
const isFreeInTableOnly = (table: Section, signed: Pdf, id: number): boolean =>
  table.find(id)?.type === 'free' && isListed(signed, id);

function isMoved(pdf: Pdf, signed: Pdf, file: Buffer, id: number, start: number): boolean {
  const entry = locate(pdf, id);
  const container = entry?.type === 'compressed' ? locate(pdf, entry.stream) : entry;
  if (container?.type !== 'uncompressed' || skipFewBlanks(file, pdf.base + container.offset) >= start)
    return false;
  return !isSameLocation(signed, pdf, id);
}

/**
 * The objects of the signed document that an update frees or gives another generation. A reader that follows a
 * reference to one may take the file for broken and repair it.
 */
export function removedSince(pdf: Pdf, signed: Pdf): Set<number> {
  const removed = new Set<number>();
  const [last] = signed.sections;
  for (const { at, runs } of pdf.sections) {
    if (at === last?.at) break;
    for (const { first, count } of runs)
      for (let id = first; id < first + count; id++) {
        if (!isListed(signed, id) || generationOf(pdf, id) === generationOf(signed, id)) continue;
        chargeList(pdf.budget, LISTED_BYTES);
        removed.add(id);
      }
  }
  return removed;
}

const isListed = (pdf: Pdf, id: number): boolean => generationOf(pdf, id) !== undefined;
