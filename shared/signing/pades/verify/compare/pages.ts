import {
  type Budget,
  chargeList,
  chargeMemory,
  chargeTime,
  withScratchMemory,
} from '../../../../bounds/budget.ts';
import type { Field } from '../../fields.ts';
import { MEMBER_UNITS, PAGE_BYTES, REF_BYTES } from '../../pdf/budget.ts';
import { arrayOf, dictOf, objectOf, type Pdf } from '../../pdf/document.ts';
import {
  isDict,
  isRef,
  isString,
  nameOf,
  type PdfArray,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  print,
  sameRef,
} from '../../pdf/values.ts';
import { type Change, modification } from '../changes.ts';
import { type Effect, effectOf, worstEffect } from './annotation-kinds.ts';
import { type Area, type Comparer, isSame, isSameLocation, keysOf } from './values.ts';

export type PageComparison = {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly compare: Comparer;
  readonly report: (change: Change) => void;
  /** The form's nodes before the change, which are compared as fields. */
  readonly fields: ReadonlyMap<number, Field>;
  /** New fields. They are judged as fields, and so are their annotations. */
  readonly newFields: ReadonlyMap<number, Field>;
  readonly allowsAnnotations: boolean;
  /** Whether nothing may change. */
  readonly isStrict: boolean;
};

/** A page that is in both states. Its content is read again: thousands of pages would take too much memory. */
export type PagePair = { readonly ref: PdfRef; readonly number: number };

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

export const strictArea = (label: string): Area => ({ label, differs: modification });

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

// Evil annotation attack: without permission, annotations stay as they are, in their order. New ones must be widgets of
// new signature fields.
function compareAnnotations(pages: PageComparison, before: PdfDict, after: PdfDict, number: number): void {
  const old = arrayOf(pages.before, before.get('Annots'));
  const now = arrayOf(pages.after, after.get('Annots'));
  const area = strictArea(`An annotation on page ${number} was changed.`);
  for (const [at, value] of old.entries()) {
    const later = now[at];
    if (isRef(value) && !(isRef(later) && sameRef(value, later)))
      pages.report(modification(`An annotation on page ${number} was removed or moved.`));
    else if (!isRef(value) || !pages.fields.has(value.id)) pages.compare.values(value, later, area);
  }
  for (const value of now.slice(old.length))
    withScratchMemory(pages.before.budget, () => judgeAddedAnnotation(pages, value, number));
}

/**
 * Compares annotations that the signers allow to change (DocMDP level 3). Fields and actions may not change, nor
 * annotations that show content.
 */
export function compareFreeAnnotations(pages: PageComparison, { ref, number }: PagePair): void {
  withScratchMemory(pages.before.budget, () => {
    const node = nodeOf(pages, ref, ref);
    if (node) compareFreeAnnotationsOn(pages, node.before, node.after, number);
    else pages.report(modification(`Page ${number} was replaced, moved or removed.`));
  });
}

function compareFreeAnnotationsOn(
  pages: PageComparison,
  before: PdfDict,
  after: PdfDict,
  number: number,
): void {
  const old = arrayOf(pages.before, before.get('Annots'));
  const now = arrayOf(pages.after, after.get('Annots'));
  const { budget } = pages.before;
  const isKept = memberOf(budget, now);
  const compareOld = (value: PdfValue): void => {
    const isShownAsField = isWidget(pages.before, value) || isWidget(pages.after, value);
    const isField = (isRef(value) && pages.fields.has(value.id)) || isShownAsField;
    const runningArea = strictArea(`An annotation on page ${number} that runs an action was changed.`);
    const effect = worstEffect(effectOf(pages.before, value), effectOf(pages.after, value));
    const change = changeBy(effect, CHANGED[effect](number));
    const allowedArea: Area = { label: change.what, differs: () => change };
    const asAnnotation = runsAction(pages.after, value) ? runningArea : allowedArea;
    const area = isField ? strictArea(`A field on page ${number} was changed.`) : asAnnotation;
    if (!isKept(value)) pages.report(removedChange(isField ? 'content' : effect, area, number));
    else if (!isRef(value) || !pages.fields.has(value.id)) pages.compare.values(value, value, area);
  };
  for (const value of old) withScratchMemory(budget, () => compareOld(value));
  const isOld = memberOf(budget, old);
  for (const value of now)
    if (!isOld(value)) withScratchMemory(budget, () => judgeAddedAnnotation(pages, value, number));
}

// The signer allows that annotations go, and nobody sees what is missing.
function removedChange(effect: Effect, area: Area, page: number): Change {
  if (effect !== 'content') return area.differs(area.label);
  const what = `An annotation that showed content was removed from page ${page}.`;
  return { kind: 'overlay', allowed: true, what };
}

function memberOf(budget: Budget, items: PdfArray): (value: PdfValue) => boolean {
  chargeMemory(budget, 2 * REF_BYTES * items.length);
  const refs = new Set(items.filter(isRef).map(print));
  return (value) => {
    if (isRef(value)) return refs.has(print(value));
    chargeTime(budget, MEMBER_UNITS * items.length);
    return items.some((other) => isSame(other, value));
  };
}

const isWidget = (pdf: Pdf, value: PdfValue): boolean =>
  nameOf(dictOf(pdf, value)?.get('Subtype')) === 'Widget';

const NAVIGATION_ACTIONS = new Set(['GoTo', 'URI']);

// Evil annotation attack: an annotation may link to a page or an address. A script, a program start or a form submission
// is more than an annotation (ISO 32000-2, 12.6.4).
function runsAction(pdf: Pdf, value: PdfValue): boolean {
  const annotation = dictOf(pdf, value);
  const action = dictOf(pdf, annotation?.get('A'));
  const isNavigation = action && NAVIGATION_ACTIONS.has(nameOf(action.get('S')) ?? '') && !action.has('Next');
  return annotation !== undefined && (annotation.has('AA') || (annotation.has('A') && !isNavigation));
}

function judgeAddedAnnotation(pages: PageComparison, value: PdfValue, page: number): void {
  if (isRef(value) && pages.newFields.has(value.id)) return;
  // Evil annotation attack: a widget outside of the form is shown, and is judged as no field.
  const isAllowed =
    pages.allowsAnnotations && !isWidget(pages.after, value) && !runsAction(pages.after, value);
  const effect = effectOf(pages.after, value);
  pages.report(isAllowed ? changeBy(effect, ADDED[effect](page)) : modification(ADDED.mark(page)));
}

type Texts = Readonly<Record<Effect, (page: number) => string>>;

const ADDED: Texts = {
  mark: (page) => `An annotation was added to page ${page}.`,
  unclear: (page) =>
    `An annotation with a look of its own, which may hide content, was added to page ${page}.`,
  content: (page) => `An annotation that can hide the content or show another was added to page ${page}.`,
};

const CHANGED: Texts = {
  mark: (page) => `Annotations on page ${page} were changed.`,
  unclear: (page) =>
    `An annotation with a look of its own, which may hide content, was changed on page ${page}.`,
  content: (page) => `An annotation that can hide the content or show another was changed on page ${page}.`,
};

// Evil annotation attack: the signer allows annotations, and hardly one that changes what the document says.
function changeBy(effect: Effect, what: string): Change {
  if (effect === 'content') return modification(what);
  return { kind: effect === 'mark' ? 'annotation' : 'overlay', allowed: true, what };
}
