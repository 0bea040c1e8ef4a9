import { type Field, fieldsOf, formOf, signatureOf } from '../fields.ts';
import { catalogOf, type Pdf, viewOf } from '../pdf/document.ts';
import type { PdfDict } from '../pdf/values.ts';
import { PdfRefused } from '../refused.ts';
import { contentsAt } from './byte-range.ts';

export type FoundSignature = {
  readonly field: Field;
  readonly dict: PdfDict;
  readonly contentsAt: number | undefined;
  /** Whether the file still shows it, or only an earlier save of it does. */
  readonly isCurrent: boolean;
};

const MOST_SAVES = 64; // older ones are left: each costs a walk through the form

/** Every signature that the file or an earlier save of it holds: removing one hides it from readers, not from here. */
export function findSignatures(pdf: Pdf, file: Buffer): FoundSignature[] {
  const found = new Map<string | number, FoundSignature>();
  for (let save = 0; save < Math.min(pdf.sections.length, MOST_SAVES); save++) {
    const view = save === 0 ? pdf : viewOf(pdf, pdf.sections.slice(save));
    if (!view) continue;
    for (const { field, dict } of signaturesOf(view, save === 0)) {
      const at = contentsAt(file, dict);
      // The same bytes in the file are the same signature, whichever save shows them.
      const key = at ?? `${field.ref.id} ${field.name}`;
      if (!found.has(key)) found.set(key, { field, dict, contentsAt: at, isCurrent: save === 0 });
    }
  }
  return [...found.values()];
}

function signaturesOf(pdf: Pdf, isNewest: boolean): { field: Field; dict: PdfDict }[] {
  try {
    return fieldsOf(pdf, formOf(pdf, catalogOf(pdf).dict)).flatMap((field) => {
      const dict = signatureOf(pdf, field);
      return dict ? [{ field, dict }] : [];
    });
  } catch (error) {
    // An earlier save that cannot be read shows no signatures; the file itself must be readable.
    if (isNewest || !(error instanceof PdfRefused)) throw error;
    return [];
  }
}
