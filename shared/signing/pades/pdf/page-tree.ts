import { releaseMemory } from '../../../bounds/budget.ts';
import { broken, PdfRefused } from '../refused.ts';
import { arrayOf, catalogOf, dictOf, type Pdf } from './document.ts';
import { countOf, isRef, type PdfDict, type PdfRef, type PdfValue } from './values.ts';

export type Page = {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  /** The page and the nodes above it, nearest first: some entries are inherited (ISO 32000-2, 7.7.3.4). */
  readonly lineage: readonly PdfDict[];
};

const MAX_DEPTH = 64;

/** The number of pages that the page tree claims. */
export const pageCount = (pdf: Pdf): number =>
  countOf(dictOf(pdf, catalogOf(pdf).dict.get('Pages'))?.get('Count')) ?? 0;

/** Pages count from 1. @example const page = findPage(pdf, 'last') */
export function findPage(pdf: Pdf, page: number | 'last'): Page {
  const root = catalogOf(pdf).dict.get('Pages');
  const count = pageCount(pdf);
  const number = page === 'last' ? count : page;
  const search = { page, left: number - 1, seen: new Set<number>() };
  const found = Number.isInteger(number) && number > 0 && descend(pdf, root, [], search);
  if (!found)
    throw new PdfRefused('no-such-page', `The PDF has no page ${page}: it has ${count}. Choose one of them.`);
  return found;
}

type Search = { readonly page: number | 'last'; left: number; readonly seen: Set<number> };

function descend(
  pdf: Pdf,
  ref: PdfValue | undefined,
  above: readonly PdfDict[],
  search: Search,
): Page | undefined {
  const dict = dictOf(pdf, ref);
  if (!dict) return undefined;
  const lineage = [dict, ...above];
  if (!dict.has('Kids')) {
    if (search.left-- > 0) return undefined;
    // An earlier signature would see another page if a direct one were written as an object.
    if (!isRef(ref))
      return broken(`page ${search.page} is not an indirect object, so that it cannot be signed.`);
    return { ref, dict, lineage };
  }
  if (above.length > MAX_DEPTH || (isRef(ref) && search.seen.has(ref.id)))
    broken('its page tree goes round in a circle.');
  if (isRef(ref)) search.seen.add(ref.id);
  const kids = arrayOf(pdf, dict.get('Kids'));
  const count = countOf(dict.get('Count')) ?? 0;
  if (count > 0 && search.left >= count) {
    search.left -= count;
    return undefined;
  }
  // With as many kids as pages, each kid is a page: the earlier ones need not be read.
  if (count === kids.length) {
    const [kid, left] = [kids[search.left], search.left];
    search.left = 0;
    const found = descend(pdf, kid, lineage, search);
    if (found) return found;
    search.left = left;
  }
  for (const kid of kids) {
    const { heldBytes } = pdf.budget;
    const found = descend(pdf, kid, lineage, search);
    if (found) return found;
    releaseMemory(pdf.budget, pdf.budget.heldBytes - heldBytes);
  }
  return undefined;
}

/** Every page in its order. Each is let go when the next is asked for: thousands would take too much memory. */
export function* eachPage(pdf: Pdf): Generator<Page> {
  const seen = new Set<number>();
  function* visit(ref: PdfValue | undefined, above: readonly PdfDict[]): Generator<Page> {
    const dict = dictOf(pdf, ref);
    if (!dict) return;
    if (above.length > MAX_DEPTH || (isRef(ref) && seen.has(ref.id)))
      broken('its page tree goes round in a circle, or has a page twice.');
    if (isRef(ref)) seen.add(ref.id);
    const lineage = [dict, ...above];
    if (dict.has('Kids'))
      for (const kid of arrayOf(pdf, dict.get('Kids'))) {
        const { heldBytes } = pdf.budget;
        yield* visit(kid, lineage);
        releaseMemory(pdf.budget, pdf.budget.heldBytes - heldBytes);
      }
    else if (isRef(ref)) yield { ref, dict, lineage };
    else broken('one of its pages is not an indirect object.');
  }
  yield* visit(catalogOf(pdf).dict.get('Pages'), []);
}

/** An entry of a page, own or inherited. */
export const inheritedEntry = ({ lineage }: Page, key: string): PdfValue | undefined =>
  lineage.find((dict) => dict.has(key))?.get(key);

/** A page by its object, with the nodes above it. */
export function pageAt(pdf: Pdf, ref: PdfValue | undefined): Page | undefined {
  const lineage: PdfDict[] = [];
  let next: PdfDict | undefined = dictOf(pdf, ref);
  for (; next && lineage.length <= MAX_DEPTH; next = dictOf(pdf, next.get('Parent'))) lineage.push(next);
  const [dict] = lineage;
  return dict && isRef(ref) ? { ref, dict, lineage } : undefined;
}
