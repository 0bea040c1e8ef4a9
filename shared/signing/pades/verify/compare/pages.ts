import { chargeList, withScratchMemory } from '../../../../bounds/budget.ts';
import { PAGE_BYTES } from '../../pdf/budget.ts';
import { arrayOf, dictOf, objectOf } from '../../pdf/document.ts';
import {
  isDict,
  isRef,
  isString,
  nameOf,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  sameRef,
} from '../../pdf/values.ts';
import { modification } from '../changes.ts';
import {
  compareAnnotations,
  compareFreeAnnotationsOn,
  type PageComparison,
  type PagePair,
} from './annotations.ts';
import { type Area, isSame, isSameLocation, keysOf, strictArea } from './values.ts';

export type PageTree = {
  readonly pairs: readonly PagePair[];
  /** Whether these are all pages. Others are direct objects, or in a malformed tree. */
  readonly isWhole: boolean;
};

const MAX_DEPTH = 65; // as for a page to sign

/**
 * Compares both page trees side by side (ISO 32000-2, 7.7.3). Every page must still be there, at its position, and no
 * page may be added.
 *
 * Shadow attack (hide-and-replace): the update exchanges a page, or the whole tree, for one that was signed along.
 */
export function comparePageTrees(
  pages: PageComparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): PageTree {
  const pairs: PagePair[] = [];
  let isWhole = true;
  const seen = new Set<number>();
  let count = 0;
  const visit = (one: PdfValue | undefined, other: PdfValue | undefined, depth: number): void => {
    const node = nodeOf(pages, one, other);
    const replaced = strictArea(`Page ${count + 1} was replaced, moved or removed.`);
    if (isRef(one) !== isRef(other) || (isRef(one) && isRef(other) && !sameRef(one, other)))
      pages.report(modification(replaced.label));
    // A malformed or too deep tree must be the same in both states: readers then show the same of it.
    else if (!node || depth > MAX_DEPTH) {
      isWhole = false;
      pages.compare.values(one, other, replaced);
    } else if (!node.ref) visitNode(node, depth);
    else if (!seen.has(node.ref.id)) {
      chargeList(pages.before.budget, PAGE_BYTES);
      seen.add(node.ref.id);
      pages.compare.exempt(node.ref);
      visitNode(node, depth);
    }
  };
  const visitNode = ({ ref, before, after }: Node, depth: number): void => {
    if (!before.has('Kids') && !after.has('Kids')) {
      const number = ++count;
      if (ref) pairs.push({ ref, number });
      else isWhole = false;
      comparePage(pages, before, after, number, ref !== undefined && pages.allowsAnnotations);
      return;
    }
    const [kids, nowKids] = [
      arrayOf(pages.before, before.get('Kids')),
      arrayOf(pages.after, after.get('Kids')),
    ];
    // Shadow attack (hide): a page with an empty /Kids is no page to some readers.
    if (kids.length !== nowKids.length || before.has('Kids') !== after.has('Kids'))
      pages.report(modification('Pages were added to the document or removed from it.'));
    const area = strictArea('The page tree was changed.');
    for (const key of keysOf(before, after))
      if (key !== 'Kids' && key !== 'Parent' && !(depth === 0 && isReleaseNote(key, before, after)))
        pages.compare.values(before.get(key), after.get(key), area, key);
    compareParents(pages, before, after, area);
    if (kids.length === 0) pages.compare.values(before.get('Kids'), after.get('Kids'), area);
    for (const [at, kid] of kids.entries())
      withScratchMemory(pages.before.budget, () => visit(kid, nowKids[at], depth + 1));
  };
  visit(old, now, 0);
  return { pairs, isWhole };
}

const RELEASE_NOTE = 'ITXT';
const MAX_RELEASE_BYTES = 64; // (2.1.7 by 1T3XT)

// iText 2.1 to 5.0 and the programs made from it write their release into the root of the tree on every save. No reader
// knows the entry. Shadow attack (replace): anything but a short text could be drawn from there.
const isReleaseNote = (key: string, before: PdfDict, after: PdfDict): boolean =>
  key === RELEASE_NOTE &&
  [before.get(key), after.get(key)].every(
    (value) => value === undefined || (isString(value) && value.raw.length <= MAX_RELEASE_BYTES),
  );

/** A node of the tree in both states. A direct node has no reference. */
type Node = { readonly ref: PdfRef | undefined; readonly before: PdfDict; readonly after: PdfDict };

function nodeOf(
  pages: PageComparison,
  one: PdfValue | undefined,
  other: PdfValue | undefined,
): Node | undefined {
  if (isDict(one) && isDict(other)) return { ref: undefined, before: one, after: other };
  if (!isRef(one) || !isRef(other) || !sameRef(one, other)) return undefined;
  const object = objectOf(pages.before, one);
  // The bytes are the same in both states: they are read once.
  if (isDict(object) && isSameLocation(pages.before, pages.after, one.id))
    return { ref: one, before: object, after: object };
  const [before, after] = [dictOf(pages.before, one), dictOf(pages.after, other)];
  return before && after && { ref: one, before, after };
}

// Compares a page's own entries. Annotations have their own rules.
function comparePage(
  pages: PageComparison,
  before: PdfDict,
  after: PdfDict,
  number: number,
  allowsAnnotations: boolean,
): void {
  const area = strictArea(`Page ${number} was changed.`);
  for (const key of keysOf(before, after))
    if (key !== 'Annots' && key !== 'Parent' && !(key === 'Tabs' && areTabs(pages, before, after)))
      pages.compare.values(before.get(key), after.get(key), area, key);
  compareParents(pages, before, after, strictArea(`Page ${number} was moved.`));
  if (!allowsAnnotations) compareAnnotations(pages, before, after, number);
}

const TABS = new Set([undefined, 'R', 'C', 'S', 'A', 'W']);

// The order in which the Tab key goes through annotations (ISO 32000-2, 12.5.1). Programs write it with a new field.
const areTabs = ({ isStrict }: PageComparison, before: PdfDict, after: PdfDict): boolean =>
  !isStrict &&
  [before.get('Tabs'), after.get('Tabs')].every(
    (tabs) => TABS.has(nameOf(tabs)) && (tabs === undefined || nameOf(tabs) !== undefined),
  );

// Shadow attack (replace): a page inherits entries from its /Parent, which need not be the node that lists it.
function compareParents(
  { compare, report }: PageComparison,
  before: PdfDict,
  after: PdfDict,
  area: Area,
): void {
  const [old, now] = [before.get('Parent'), after.get('Parent')];
  if (!isSame(old, now)) report(area.differs(area.label));
  compare.values(old, now, area);
}

/**
 * Compares annotations that the signers allow to change (DocMDP level 3). Fields and actions may not change, nor
 * annotations that show content.
 */
export function compareFreeAnnotations(pages: PageComparison, { ref, number }: PagePair): void {
  withScratchMemory(pages.before.budget, () => {
    const node = nodeOf(pages, ref, ref);
    if (node) compareFreeAnnotationsOn(pages, node.before, node.after, { ref, number });
    else pages.report(modification(`Page ${number} was replaced, moved or removed.`));
  });
}
