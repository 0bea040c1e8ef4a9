import { type Field, fieldsOf, formOf, signatureOf } from './fields.ts';
import { type Catalog, catalogOf, openPdf, type Pdf } from './pdf/document.ts';
import type { Source } from './pdf/source.ts';
import type { PdfDict } from './pdf/values.ts';
import { isLocked, type Permissions, permissionsOf } from './permissions.ts';
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

/** The field to sign: an empty one of the form, with the widget that shows it, or a new one by this name. */
export type ChosenField =
  | { readonly kind: 'existing'; readonly field: Field; readonly widget: Field; readonly name: string }
  | { readonly kind: 'new'; readonly name: string };

/** Chooses the field by its name, or the first free name. @example chooseField(signable, 'Seller') */
export function chooseField(signable: Signable, requestedName: string | undefined): ChosenField {
  const { fields } = signable;
  const name = requestedName ?? freeName(fields);
  const field = fields.find((candidate) => candidate.name === name && !candidate.isWidgetOnly);
  if (field) refuseUnusable(signable, field);
  else if (name === '' || name.includes('.'))
    throw new PdfRefused(
      'no-such-field',
      `The form has no field "${name}", and a new one cannot have this name: it needs letters and no full stop.`,
    );
  if (!field) return { kind: 'new', name };
  const widget = fields.find((candidate) => candidate.isWidgetOnly && candidate.parent === field) ?? field;
  return { kind: 'existing', field, widget, name };
}

/** Refuses a field that an earlier signature locks (FieldMDP: ISO 32000-2, 12.8.2.4). */
export function refuseLocked({ permissions }: Signable, { name }: ChosenField): void {
  if (isLocked(permissions, name))
    throw new PdfRefused(
      'no-changes-allowed',
      `An earlier signature locks the field "${name}", so that signing in it would break that signature.`,
    );
}

function refuseUnusable({ pdf }: Signable, field: Field): void {
  const isSigned = signatureOf(pdf, field) !== undefined;
  if (field.type === 'Sig' && !isSigned) return;
  const what = isSigned ? 'is signed already' : 'is not for signatures';
  throw new PdfRefused(
    'field-taken',
    `The field "${field.name}" ${what}. Choose another or leave its name out.`,
  );
}

function freeName(fields: readonly Field[]): string {
  const taken = new Set(fields.map(({ name }) => name));
  let number = fields.filter(({ type, isWidgetOnly }) => type === 'Sig' && !isWidgetOnly).length + 1;
  while (taken.has(`Signature${number}`)) number++;
  return `Signature${number}`;
}
