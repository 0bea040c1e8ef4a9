import { chargeList, chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import { MEMBER_BYTES, MEMBER_UNITS } from '../../pdf/budget.ts';
import { arrayOf, dictOf, locate, type Pdf, resolve } from '../../pdf/document.ts';
import {
  countOf,
  isArray,
  isRef,
  nameOf,
  type PdfArray,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  sameRef,
} from '../../pdf/values.ts';

import type { FormComparison, Nodes } from './signature-field.ts';
import { keysOf, strictArea } from './values.ts';

const AREA = strictArea("The catalog's /StructTreeRoot was changed.");
const ROOT_RULES = new Set(['K', 'ParentTree', 'ParentTreeNextKey']);

/**
 * Compares the structure trees of both states (ISO 32000-2, 14.7). A program that adds a field to a tagged document must
 * enter its widget there. Elements with nothing but the widgets of new fields may be added; all others stay as they are,
 * in their order: they are what a screen reader reads aloud.
 */
export function compareStructureTrees(
  forms: FormComparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
  newFields: Nodes,
): void {
  const { before, after, compare, report } = forms;
  const [root, nowRoot] = [dictOf(before, old), dictOf(after, now)];
  const widgets = widgetsByKey(after, newFields);
  if (!isRef(old) || !isRef(now) || !sameRef(old, now) || !root || !nowRoot || widgets.size === 0) {
    compare.values(old, now, AREA, 'StructTreeRoot');
    return;
  }
  compare.exempt(old);
  for (const key of keysOf(root, nowRoot))
    if (!ROOT_RULES.has(key)) compare.values(root.get(key), nowRoot.get(key), AREA, key);
  const [known, entries] = [
    numbersIn(before, root.get('ParentTree')),
    numbersIn(after, nowRoot.get('ParentTree')),
  ];
  if (!known || !entries) {
    report(AREA.differs(AREA.label));
    return;
  }

  const added = new Set<number>();
  const grown = new Map<number, PdfRef>();
  for (const [key, value] of entries) {
    const widget = widgets.get(key);
    if (known.has(key)) continue;
    if (
      widget === undefined ||
      !isRef(value) ||
      !addElement(value, (kid) => isWidgetObject(after, kid, widget), 0)
    )
      report(AREA.differs(AREA.label));
  }
  for (const [key, value] of known) compare.values(value, entries.get(key), AREA);
  compareKids(root, nowRoot);
  for (const ref of grown.values()) {
    if (sameRef(ref, old)) continue;
    const [element, nowElement] = [dictOf(before, ref) ?? new Map(), dictOf(after, ref) ?? new Map()];
    compare.exempt(ref);
    for (const key of keysOf(element, nowElement))
      if (key !== 'K') compare.values(element.get(key), nowElement.get(key), AREA, key);
    compareKids(element, nowElement);
  }

  // An added element, and those above it up to one that was signed.
  function addElement(ref: PdfRef, isKid: (kid: PdfValue) => boolean, depth: number): boolean {
    const element = dictOf(after, ref);
    const parent = element?.get('P');
    if (added.has(ref.id)) return true;
    if (!element || depth > MAX_DEPTH || locate(before, ref.id) || !isRef(parent)) return false;
    if (!element.keys().every((key) => ELEMENT_KEYS.has(key)) || !kidsOf(after, element).every(isKid))
      return false;
    chargeList(after.budget, MEMBER_BYTES);
    added.add(ref.id);
    if (!locate(before, parent.id))
      return addElement(parent, (kid) => isRef(kid) && added.has(kid.id), depth + 1);
    grown.set(parent.id, parent);
    return true;
  }

  function compareKids(element: PdfDict, nowElement: PdfDict): void {
    const kids = kidsOf(before, element);
    const nowKids = kidsOf(after, nowElement).filter((kid) => !(isRef(kid) && added.has(kid.id)));
    if (kids.length !== nowKids.length) report(AREA.differs(AREA.label));
    for (const [at, kid] of kids.entries()) compare.values(kid, nowKids[at], AREA);
  }
}

const MAX_DEPTH = 8;

// No text of its own: /Alt, /ActualText and /E would be read aloud in place of what is there.
const ELEMENT_KEYS = new Set(['Type', 'S', 'P', 'Pg', 'K']);

const kidsOf = (pdf: Pdf, element: PdfDict): PdfArray => {
  const kids = element.get('K');
  const found = resolve(pdf, kids);
  return isArray(found) ? found : kids === undefined ? [] : [kids];
};

/** The new widgets by their keys in the parent tree. */
function widgetsByKey(pdf: Pdf, newFields: Nodes): Map<number, number> {
  const widgets = new Map<number, number>();
  for (const { ref, dict } of newFields.values()) {
    const key = withScratchMemory(pdf.budget, () => countOf(resolve(pdf, dict.get('StructParent'))));
    chargeList(pdf.budget, MEMBER_BYTES);
    if (key !== undefined) widgets.set(key, ref.id);
  }
  return widgets;
}

function isWidgetObject(pdf: Pdf, kid: PdfValue, widget: number): boolean {
  const reference = dictOf(pdf, kid);
  const object = reference?.get('Obj');
  return nameOf(reference?.get('Type')) === 'OBJR' && isRef(object) && object.id === widget;
}

const MAX_TREE_DEPTH = 32;

/** A number tree (ISO 32000-2, 7.9.7); undefined where it is malformed. */
function numbersIn(pdf: Pdf, tree: PdfValue | undefined): Map<number, PdfValue> | undefined {
  const found = new Map<number, PdfValue>();
  const visit = (value: PdfValue | undefined, depth: number): boolean => {
    const node = dictOf(pdf, value);
    if (!node || depth > MAX_TREE_DEPTH) return false;
    const items = arrayOf(pdf, node.get('Nums'));
    for (let at = 0; at < items.length; at += 2) {
      const key = countOf(items[at]);
      const item = items[at + 1];
      chargeTime(pdf.budget, MEMBER_UNITS);
      chargeList(pdf.budget, MEMBER_BYTES);
      if (key === undefined || item === undefined || found.has(key)) return false;
      found.set(key, item);
    }
    return arrayOf(pdf, node.get('Kids')).every((kid) => visit(kid, depth + 1));
  };
  return tree === undefined || visit(tree, 0) ? found : undefined;
}
