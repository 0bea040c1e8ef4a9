import { chargeList, withScratchLists } from '../../../bounds/budget.ts';
import { type Field, fieldsOf, formOf, signatureOf } from '../fields.ts';
import { FIELD_BYTES } from '../pdf/budget.ts';
import { catalogOf, type Pdf, viewOf } from '../pdf/document.ts';
import type { PdfDict } from '../pdf/values.ts';
import { isTooComplex, PdfRefused } from '../refused.ts';
import { contentsOffsetOf } from './byte-range.ts';

export type FoundSignature = {
  readonly field: Field;
  readonly dict: PdfDict;
  readonly contentsAt: number | undefined;
  /** Whether the current document has it, or only an earlier save. */
  readonly isCurrent: boolean;
  /** Whether a second field refers to it. Sneaky signature attack: that field's author signed nothing. */
  readonly isShared: boolean;
};

const MAX_SAVES = 64; // older saves are not read: each costs a walk through the form

/** Every signature of the file and of its earlier saves: an update may remove one, which readers then do not show. */
export function findSignatures(pdf: Pdf, file: Buffer): FoundSignature[] {
  const found = new Map<string | number, FoundSignature>();
  for (let save = 0; save < Math.min(pdf.sections.length, MAX_SAVES); save++) {
    const view = save === 0 ? pdf : viewOf(pdf, pdf.sections.slice(save));
    if (!view) continue;
    const add = ({ field, dict, bytes }: Signed): number => {
      const at = contentsOffsetOf(file, dict);
      // The same bytes are the same signature in every save.
      const key = at ?? `${field.ref.id} ${field.name}`;
      const known = found.get(key);
      if (known && save === 0) found.set(key, { ...known, isShared: true });
      if (known) return 0;
      found.set(key, { field, dict, contentsAt: at, isCurrent: save === 0, isShared: false });
      return FIELD_BYTES + field.name.length + bytes;
    };
    const foundBytes = withScratchLists(pdf.budget, () =>
      signaturesOf(view, save === 0).reduce((sum, signed) => sum + add(signed), 0),
    );
    chargeList(pdf.budget, foundBytes);
  }
  return [...found.values()];
}

/** `bytes` is the memory of the dictionary. */
type Signed = { readonly field: Field; readonly dict: PdfDict; readonly bytes: number };

function signaturesOf(pdf: Pdf, isNewest: boolean): Signed[] {
  try {
    return fieldsOf(pdf, formOf(pdf, catalogOf(pdf).dict)).flatMap((field) => {
      const { heldBytes } = pdf.budget;
      const dict = signatureOf(pdf, field);
      return dict ? [{ field, dict, bytes: pdf.budget.heldBytes - heldBytes }] : [];
    });
  } catch (error) {
    // An unreadable earlier save has no signatures. The file itself must be readable.
    if (isNewest || !(error instanceof PdfRefused) || isTooComplex(error)) throw error;
    return [];
  }
}
