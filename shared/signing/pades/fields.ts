import { arrayOf, dictOf, type Pdf } from './pdf/document.ts';
import { textOf } from './pdf/text.ts';
import { isRef, isString, nameOf, type PdfDict, type PdfRef, type PdfValue } from './pdf/values.ts';
import { broken } from './refused.ts';

/** A node of the form: a field, a group of fields, or one of the places where a field is shown. */
export type Field = {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  /** With the names of the groups above it: `seller.signature`. A place without a name has its field's. */
  readonly name: string;
  /** Tx, Btn, Ch or Sig, its own or inherited. */
  readonly type: string | undefined;
  readonly parent: Field | undefined;
  /** Whether it only shows the field above it. */
  readonly isPlace: boolean;
};

const DEEPEST = 32;
const MOST_FIELDS = 100_000;

/** Every node of the form, groups before what is in them. */
export function fieldsOf(pdf: Pdf, form: PdfDict | undefined): Field[] {
  const found: Field[] = [];
  const seen = new Set<number>();
  const visit = (value: PdfValue, parent: Field | undefined, depth: number): void => {
    const dict = isRef(value) ? dictOf(pdf, value) : undefined;
    if (!isRef(value) || !dict || seen.has(value.id)) return;
    if (depth > DEEPEST || found.length === MOST_FIELDS) broken('its form has too many fields.');
    seen.add(value.id);
    const field = nodeOf(value, dict, parent);
    found.push(field);
    for (const kid of arrayOf(pdf, dict.get('Kids'))) visit(kid, field, depth + 1);
  };
  for (const value of arrayOf(pdf, form?.get('Fields'))) visit(value, undefined, 0);
  return found;
}

function nodeOf(ref: PdfRef, dict: PdfDict, parent: Field | undefined): Field {
  const part = dict.get('T');
  const own = isString(part) ? textOf(part) : undefined;
  const above = parent?.name ?? '';
  const name = own === undefined ? above : above === '' ? own : `${above}.${own}`;
  const type = nameOf(dict.get('FT')) ?? parent?.type;
  return { ref, dict, name, type, parent, isPlace: own === undefined && parent !== undefined };
}

/** The signature dictionary that a signature field holds, when it is signed. */
export function signatureOf(pdf: Pdf, { type, dict, isPlace }: Field): PdfDict | undefined {
  return type === 'Sig' && !isPlace ? dictOf(pdf, dict.get('V')) : undefined;
}

/** The form of a document, where it has one. */
export const formOf = (pdf: Pdf, catalog: PdfDict): PdfDict | undefined =>
  dictOf(pdf, catalog.get('AcroForm'));
