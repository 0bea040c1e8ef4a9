import {
  PDFCheckBox,
  PDFDict,
  type PDFDocument,
  PDFDropdown,
  type PDFField,
  PDFHexString,
  PDFName,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
} from 'pdf-lib';
import type { PdfValues } from '../../document/document.ts';
import type { NotFilled } from './draw-request.ts';
import { hasSignatures, openOriginal } from './original.ts';
import { toDrawable } from './text.ts';

/** The values cannot be written into this file. */
export class NotFillable extends Error {
  override readonly name = 'NotFillable';
  readonly reason: NotFilled['reason'];

  constructor(reason: NotFilled['reason'], explanation: string, options?: ErrorOptions) {
    super(explanation, options);
    this.reason = reason;
  }
}

type Filled = PdfValues & { readonly original: Uint8Array; readonly atMs: number };

/** Writes values into the form and the document information of a PDF. */
export async function fill({ original, fields, metadata, atMs }: Filled): Promise<Uint8Array> {
  const pdf = await openUnsigned(original);
  fillForm(pdf, fields);
  fillInformation(pdf, metadata);
  pdf.setModificationDate(new Date(atMs));
  return pdf.save({ updateFieldAppearances: false, objectsPerTick: Number.POSITIVE_INFINITY });
}

/** The names of the fields that take a value. */
export async function readFields(original: Uint8Array): Promise<string[]> {
  const pdf = await openUnsigned(original);
  const fields = pdf.getForm().getFields();
  return fields
    .filter((field) => TAKES_VALUE.some((kind) => field instanceof kind))
    .map((field) => field.getName());
}

const TAKES_VALUE = [PDFTextField, PDFCheckBox, PDFDropdown, PDFOptionList, PDFRadioGroup];

/** A file is opened to be drawn on without its signatures. Here they would be lost. */
async function openUnsigned(original: Uint8Array): Promise<PDFDocument> {
  if (await hasSignatures(original))
    throw new NotFillable('signed', 'The PDF is signed already, and any change would break its signatures.');
  return openOriginal(original);
}

/** Writes values into the fields of a form. */
export function fillForm(pdf: PDFDocument, fields: PdfValues['fields']): void {
  if (Object.keys(fields).length === 0) return;
  const form = pdf.getForm();
  for (const [name, value] of Object.entries(fields)) {
    const field = form.getFieldMaybe(name);
    if (!field) throw new NotFillable('field', `The PDF has no form field "${name}".`);
    try {
      setValue(field, value);
    } catch (error) {
      throw new NotFillable(
        'field',
        `The form field "${name}" does not take this value: ${(error as Error).message}`,
        {
          cause: error,
        },
      );
    }
  }
  form.updateFieldAppearances();
}

const NO = /^(?:|0|off|false|no|n[aã]o)$/i;

function setValue(field: PDFField, value: string): void {
  if (field instanceof PDFCheckBox) NO.test(value) ? field.uncheck() : field.check();
  else if (field instanceof PDFTextField) field.setText(requireShown(value));
  else if (field instanceof PDFDropdown || field instanceof PDFOptionList || field instanceof PDFRadioGroup) {
    // The library adds an option that a list does not have.
    if (!field.getOptions().includes(value)) throw new Error('The field has no such option.');
    field.select(value);
  } else throw new Error('The field is of a kind that has no value.');
}

/** Refuses a text that is shown otherwise than it is written: the library leaves out what its font lacks. */
export function requireShown(value: string): string {
  const flat = value.normalize('NFC').replace(/[\r\n\t]/g, ' ');
  if (toDrawable(flat) === flat) return value;
  throw new Error('The font of the form cannot show it.');
}

function fillInformation(pdf: PDFDocument, metadata: PdfValues['metadata']): void {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return;
  const { context } = pdf;
  const known = context.lookup(context.trailerInfo.Info);
  const information = known instanceof PDFDict ? known : context.obj({});
  for (const [name, value] of entries) information.set(PDFName.of(name), PDFHexString.fromText(value));
  if (information !== known) context.trailerInfo.Info = context.register(information);
}
