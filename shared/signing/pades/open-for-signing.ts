import { type Field, fieldsOf, formOf } from './fields.ts';
import { type Catalog, catalogOf, openPdf, type Pdf } from './pdf/document.ts';
import type { Source } from './pdf/source.ts';
import type { PdfDict } from './pdf/values.ts';
import { type Permissions, permissionsOf } from './permissions.ts';
import { PdfRefused } from './refused.ts';

/** A PDF that may be signed, with the parts that an update needs. */
export type Signable = {
  readonly pdf: Pdf;
  readonly catalog: Catalog;
  readonly form: PdfDict | undefined;
  readonly fields: readonly Field[];
  readonly permissions: Permissions;
};

/** Opens a PDF for an update. Validation data and document timestamps may be added to any PDF (ISO 32000-2, 12.8.2.2). */
export function openForUpdate(source: Source): Signable {
  const pdf = openPdf(source);
  const catalog = catalogOf(pdf);
  const form = formOf(pdf, catalog.dict);
  const fields = fieldsOf(pdf, form);
  return { pdf, catalog, form, fields, permissions: permissionsOf(pdf, catalog.dict, fields) };
}

/** Opens a PDF for signing. Refuses one whose certification allows no changes (DocMDP level 1: ISO 32000-2, 12.8.2.2). */
export function openForSigning(source: Source): Signable {
  const signable = openForUpdate(source);
  if (signable.permissions.level === 1)
    throw new PdfRefused(
      'no-changes-allowed',
      'An earlier signature certified the PDF and allows no change to it, further signatures included. Sign a copy made before.',
    );
  return signable;
}
