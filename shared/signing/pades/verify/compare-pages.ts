import type { Field } from '../fields.ts';
import { arrayOf, dictOf, type Pdf } from '../pdf/document.ts';
import { print } from '../pdf/print.ts';
import { isRef, nameOf, type PdfArray, type PdfDict, type PdfValue, sameRef } from '../pdf/values.ts';
import { type Change, modification } from './changes.ts';
import { type Area, type Comparer, isSame, keysOf } from './compare-values.ts';

export type Pages = {
  readonly before: Pdf;
  readonly after: Pdf;
  readonly compare: Comparer;
  readonly tell: (change: Change) => void;
  /** The form's nodes before the change; they are compared as fields. */
  readonly fields: ReadonlyMap<number, Field>;
  /** New fields that are judged as fields; their annotations need no other leave. */
  readonly newFields: ReadonlyMap<number, Field>;
  readonly allowsAnnotations: boolean;
};

export type PagePair = { readonly before: PdfDict; readonly after: PdfDict; readonly number: number };

const MOST_NODES = 500_000;
const DEEPEST = 64;

/** Walks both page trees side by side. Every page must still be there, in its place; none may have come in. */
export function comparePageTrees(
  pages: Pages,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): PagePair[] {
  const found: PagePair[] = [];
  const seen = new Set<number>();
  const visit = (one: PdfValue | undefined, other: PdfValue | undefined, depth: number): void => {
    const node = nodeOf(pages, one, other);
    if (!node || seen.has(node.ref.id) || depth > DEEPEST || seen.size > MOST_NODES) {
      pages.tell(modification(`Page ${found.length + 1} was replaced, moved or taken out.`));
      return;
    }
    seen.add(node.ref.id);
    pages.compare.exempt(node.ref);
    const { before, after } = node;
    if (!before.has('Kids') && !after.has('Kids')) {
      found.push({ before, after, number: found.length + 1 });
      return;
    }
    const kids = arrayOf(pages.before, before.get('Kids'));
    const nowKids = arrayOf(pages.after, after.get('Kids'));
    if (kids.length !== nowKids.length)
      pages.tell(modification('Pages were added to the document or taken out of it.'));
    const area = strictly('The page tree was changed.');
    for (const key of keysOf(before, after))
      if (key !== 'Kids' && key !== 'Parent') pages.compare.values(before.get(key), after.get(key), area);
    for (const [at, kid] of kids.entries()) visit(kid, nowKids[at], depth + 1);
  };
  visit(old, now, 0);
  return found;
}

function nodeOf(pages: Pages, one: PdfValue | undefined, other: PdfValue | undefined) {
  if (!isRef(one) || !isRef(other) || !sameRef(one, other)) return undefined;
  const [before, after] = [dictOf(pages.before, one), dictOf(pages.after, other)];
  return before && after && { ref: one, before, after };
}

export const strictly = (label: string): Area => ({ label, differs: modification });

/** Compares what a page shows; annotations have their own rules. */
export function comparePage(pages: Pages, { before, after, number }: PagePair): void {
  const area = strictly(`Page ${number} was changed.`);
  for (const key of keysOf(before, after))
    if (key !== 'Annots' && key !== 'Parent') pages.compare.values(before.get(key), after.get(key), area);
  const [old, now] = [before.get('Parent'), after.get('Parent')];
  if (!isRef(old) || !isRef(now) || !sameRef(old, now)) pages.tell(modification(`Page ${number} was moved.`));
  if (!pages.allowsAnnotations) sameAnnotations(pages, { before, after, number });
}

// Annotations stay as they are and in their order; the new ones belong to new signatures.
function sameAnnotations(pages: Pages, { before, after, number }: PagePair): void {
  const old = arrayOf(pages.before, before.get('Annots'));
  const now = arrayOf(pages.after, after.get('Annots'));
  const area = strictly(`An annotation on page ${number} was changed.`);
  for (const [at, value] of old.entries()) {
    const kept = now[at];
    if (isRef(value) && !(isRef(kept) && sameRef(value, kept)))
      pages.tell(modification(`An annotation on page ${number} was taken away or moved.`));
    else if (!isRef(value) || !pages.fields.has(value.id)) pages.compare.values(value, kept, area);
  }
  for (const value of now.slice(old.length)) addedAnnotation(pages, value, number);
}

/** Where the signers allow annotations: those that are no fields may come, change and go. */
export function freeAnnotations(pages: Pages, { before, after, number }: PagePair): void {
  const old = arrayOf(pages.before, before.get('Annots'));
  const now = arrayOf(pages.after, after.get('Annots'));
  const what = `Annotations on page ${number} were changed.`;
  const annotating: Area = { label: what, differs: () => ({ kind: 'annotation', allowed: true, what }) };
  const isKept = memberOf(now);
  for (const value of old) {
    const isField = (isRef(value) && pages.fields.has(value.id)) || isWidget(pages.before, value);
    const area = isField ? strictly(`A field on page ${number} was changed.`) : annotating;
    if (!isKept(value)) pages.tell(area.differs(area.label));
    else if (!isRef(value) || !pages.fields.has(value.id)) pages.compare.values(value, value, area);
  }
  const isOld = memberOf(old);
  for (const value of now) if (!isOld(value)) addedAnnotation(pages, value, number);
}

function memberOf(list: PdfArray): (value: PdfValue) => boolean {
  const refs = new Set(list.filter(isRef).map(print));
  return (value) => (isRef(value) ? refs.has(print(value)) : list.some((other) => isSame(other, value)));
}

const isWidget = (pdf: Pdf, value: PdfValue): boolean =>
  nameOf(dictOf(pdf, value)?.get('Subtype')) === 'Widget';

function addedAnnotation(pages: Pages, value: PdfValue, page: number): void {
  if (isRef(value) && pages.newFields.has(value.id)) return;
  const what = `An annotation was added to page ${page}.`;
  // A widget that is no field of the form shows something that nobody judges.
  const isAllowed = pages.allowsAnnotations && !isWidget(pages.after, value);
  pages.tell(isAllowed ? { kind: 'annotation', allowed: true, what } : modification(what));
}
