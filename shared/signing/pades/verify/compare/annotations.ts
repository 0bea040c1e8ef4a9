import { type Budget, chargeMemory, chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import type { Field } from '../../fields.ts';
import { MEMBER_UNITS, REF_BYTES } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf } from '../../pdf/document.ts';
import {
  isRef,
  nameOf,
  type PdfArray,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  print,
  sameRef,
} from '../../pdf/values.ts';
import { type Change, modification } from '../changes.ts';
import { effectOf, worstEffect } from './annotation-kinds.ts';
import { type Effect, effectTogether } from './marking.ts';
import { type Area, type Comparer, isSame, isSameLocation, strictArea } from './values.ts';

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

// Evil annotation attack: without permission, annotations stay as they are, in their order. New ones must be widgets of
// new signature fields.
export function compareAnnotations(
  pages: PageComparison,
  before: PdfDict,
  after: PdfDict,
  number: number,
): void {
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

/** The same of one page in both states. */
export function compareFreeAnnotationsOn(
  pages: PageComparison,
  before: PdfDict,
  after: PdfDict,
  { ref, number }: PagePair,
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
    if (!isKept(value)) {
      // Its object may be gone as well.
      pages.report(removedChange(isField ? 'content' : effectOf(pages.before, value), number));
    } else if (!isRef(value) || !pages.fields.has(value.id)) pages.compare.values(value, value, area);
  };
  for (const value of old) withScratchMemory(budget, () => compareOld(value));
  const isOld = memberOf(budget, old);
  for (const value of now)
    if (!isOld(value)) withScratchMemory(budget, () => judgeAddedAnnotation(pages, value, number));
  const isUntouched = (value: PdfValue): boolean =>
    isOld(value) && (!isRef(value) || isSameLocation(pages.before, pages.after, value.id));
  const marks = now.filter((value) => !isUntouched(value));
  const together = withScratchMemory(budget, () => effectTogether(pages.before, pages.after, ref, marks));
  if (together !== 'mark') pages.report(changeBy(together, TOGETHER(number)));
}

const TOGETHER = (page: number): string =>
  `Marks that may hide content together, or show some, came to page ${page}.`;

// The signer allows that annotations go, and nobody sees what is missing.
function removedChange(effect: Effect, page: number): Change {
  if (effect !== 'content') return changeBy(effect, CHANGED[effect](page));
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
