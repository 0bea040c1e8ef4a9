import type { Signable } from './open-for-signing.ts';
import { arrayOf } from './pdf/document.ts';
import type { Increment } from './pdf/increment.ts';
import type { Page } from './pdf/page-tree.ts';
import { print } from './pdf/print.ts';
import { countOf, isDict, isRef, type PdfDict, type PdfRef, type PdfValue } from './pdf/values.ts';

export type Entries = Readonly<Record<string, PdfValue>>;

export const withEntries = (dict: PdfDict, entries: Entries): PdfDict =>
  new Map([...dict, ...Object.entries(entries)]);

const SIGNATURES_EXIST_AND_APPEND_ONLY = 3;

/** Writes the form with a new field in it, or only told that there are signatures. What the catalog must hold of it is given back. */
export function putForm(
  update: Increment,
  { pdf, catalog, form: existing }: Signable,
  added: readonly PdfRef[],
): Entries {
  const isForm = existing !== undefined;
  const form: PdfDict = existing ?? new Map();
  const flags = (countOf(form.get('SigFlags')) ?? 0) | SIGNATURES_EXIST_AND_APPEND_ONLY;
  if (added.length === 0 && form.get('SigFlags') === flags) return {};
  // An array of its own might be shared with something else, so the new one stands in the form.
  const fields = arrayOf(pdf, form.get('Fields'));
  const entries: Entries = added.length
    ? { Fields: [...fields, ...added], SigFlags: flags }
    : { SigFlags: flags };
  const renewed = withEntries(form, entries);
  const told = catalog.dict.get('AcroForm');
  if (isDict(told)) return { AcroForm: renewed };
  // What is no form, though it is called one, is left alone: it may be something else as well.
  if (isForm && isRef(told)) {
    update.put(told, print(renewed));
    return {};
  }
  return { AcroForm: update.put(update.reserve(), print(renewed)) };
}

/** Writes the page with one more annotation on it. */
export function putAnnotation(
  update: Increment,
  { pdf }: Signable,
  { ref, dict }: Page,
  added: PdfRef,
): void {
  const annotations = [...arrayOf(pdf, dict.get('Annots')), added];
  update.put(ref, print(withEntries(dict, { Annots: annotations })));
}

/** Writes the catalog when anything in it changes. */
export function putCatalog(
  update: Increment,
  { catalog }: Pick<Signable, 'catalog'>,
  entries: Entries,
): void {
  if (Object.keys(entries).length) update.put(catalog.ref, print(withEntries(catalog.dict, entries)));
}
