import type { Signable } from './open-for-signing.ts';
import { arrayOf } from './pdf/document.ts';
import type { Increment } from './pdf/increment.ts';
import type { Page } from './pdf/page-tree.ts';
import { countOf, isDict, isRef, type PdfDict, type PdfRef, type PdfValue, print } from './pdf/values.ts';

export type Entries = Readonly<Record<string, PdfValue>>;

export const withEntries = (dict: PdfDict, entries: Entries): PdfDict =>
  new Map([...dict, ...Object.entries(entries)]);

const SIGNATURES_EXIST_AND_APPEND_ONLY = 3;

/** Writes the form with the added fields and the flags that it has signatures. Returns the catalog entries that change. */
export function putForm(
  update: Increment,
  { pdf, catalog, form: existing }: Signable,
  added: readonly PdfRef[],
): Entries {
  const isForm = existing !== undefined;
  const form: PdfDict = existing ?? new Map();
  const flags = (countOf(form.get('SigFlags')) ?? 0) | SIGNATURES_EXIST_AND_APPEND_ONLY;
  if (added.length === 0 && form.get('SigFlags') === flags) return {};
  // The old array may be shared with another object, so the new one is direct.
  const fields = arrayOf(pdf, form.get('Fields'));
  const entries: Entries = added.length
    ? { Fields: [...fields, ...added], SigFlags: flags }
    : { SigFlags: flags };
  const renewed = withEntries(form, entries);
  const current = catalog.dict.get('AcroForm');
  if (isDict(current)) return { AcroForm: renewed };
  // An /AcroForm that is no dictionary is left alone: the object may have another role.
  if (isForm && isRef(current)) {
    update.put(current, print(renewed));
    return {};
  }
  return { AcroForm: update.put(update.reserve(), print(renewed)) };
}

/** Writes the page with more annotations on it. */
export function putAnnotations(
  update: Increment,
  { pdf }: Signable,
  { ref, dict }: Page,
  added: readonly PdfRef[],
): void {
  const annotations = [...arrayOf(pdf, dict.get('Annots')), ...added];
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
