import { chargeList, withScratchMemory } from '../../bounds/budget.ts';
import { FIELD_BYTES } from './pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from './pdf/document.ts';
import { textOf } from './pdf/text.ts';
import { isRef, isString, nameOf, type PdfDict, type PdfRef, type PdfValue } from './pdf/values.ts';
import { broken, tooComplex } from './refused.ts';

/** A node of the form: a field, a group of fields, or a widget annotation that only shows a field (ISO 32000-2, 12.7.4). */
export type Field = {
  readonly ref: PdfRef;
  /** Read again on each access: thousands of them would take too much memory. */
  readonly dict: PdfDict;
  /** The fully qualified name: `seller.signature`. A widget without a name has its field's. */
  readonly name: string;
  /** Tx, Btn, Ch or Sig; its own or inherited. */
  readonly type: string | undefined;
  readonly parent: Field | undefined;
  /** Whether it is a widget of the field above it, and no field itself. */
  readonly isWidgetOnly: boolean;
};

const MAX_DEPTH = 32;
const MAX_NAME_LETTERS = 4096; // of the fully qualified name; real forms stay under 200
const MAX_WRITTEN_BYTES = 16 * MAX_NAME_LETTERS; // each letter in its longest spelling

/** Every node of the form, parents before their kids. */
export function fieldsOf(pdf: Pdf, form: PdfDict | undefined): Field[] {
  const found: Field[] = [];
  const seen = new Set<number>();
  const visit = (value: PdfValue, parent: Field | undefined, depth: number): void => {
    if (!isRef(value) || seen.has(value.id)) return;
    const dict = dictOf(pdf, value);
    if (!dict) return;
    if (depth > MAX_DEPTH) broken('its form nests fields too deeply.');
    const field = nodeOf(pdf, value, dict, parent);
    chargeList(pdf.budget, FIELD_BYTES + field.name.length);
    seen.add(value.id);
    found.push(field);
    visitAll(dict.get('Kids'), field, depth + 1);
  };
  const visitAll = (values: PdfValue | undefined, parent: Field | undefined, depth: number): void => {
    for (const value of arrayOf(pdf, values))
      withScratchMemory(pdf.budget, () => visit(value, parent, depth));
  };
  visitAll(form?.get('Fields'), undefined, 0);
  return found;
}

class FieldNode implements Field {
  readonly ref: PdfRef;
  readonly name: string;
  readonly type: string | undefined;
  readonly parent: Field | undefined;
  readonly isWidgetOnly: boolean;
  readonly #pdf: Pdf;

  constructor(pdf: Pdf, field: Omit<Field, 'dict'>) {
    this.#pdf = pdf;
    this.ref = field.ref;
    this.name = field.name;
    this.type = field.type;
    this.parent = field.parent;
    this.isWidgetOnly = field.isWidgetOnly;
  }

  get dict(): PdfDict {
    return dictOf(this.#pdf, this.ref) ?? new Map();
  }
}

function nodeOf(pdf: Pdf, ref: PdfRef, dict: PdfDict, parent: Field | undefined): Field {
  const part = resolve(pdf, dict.get('T'));
  if (isString(part) && part.raw.length > MAX_WRITTEN_BYTES)
    tooComplex('A field of its form has too long a name.');
  const own = isString(part) ? textOf(part) : undefined;
  const above = parent?.name ?? '';
  const name = own === undefined ? above : above === '' ? own : `${above}.${own}`;
  if (name.length > MAX_NAME_LETTERS) tooComplex('A field of its form has too long a name.');
  const type = nameOf(resolve(pdf, dict.get('FT'))) ?? parent?.type;
  return new FieldNode(pdf, {
    ref,
    name,
    type,
    parent,
    isWidgetOnly: own === undefined && parent !== undefined,
  });
}

/** The signature dictionary of a signature field; undefined where it is not signed. */
export function signatureOf(pdf: Pdf, field: Field): PdfDict | undefined {
  return field.type === 'Sig' && !field.isWidgetOnly ? dictOf(pdf, field.dict.get('V')) : undefined;
}

/** The interactive form of a document (ISO 32000-2, 12.7). */
export const formOf = (pdf: Pdf, catalog: PdfDict): PdfDict | undefined =>
  dictOf(pdf, catalog.get('AcroForm'));

/** The encoding of a signature's /Contents (/SubFilter: ISO 32000-2, 12.8.3; ETSI EN 319 142-1, 6.3). */
export const SUB_FILTER = {
  pades: 'ETSI.CAdES.detached',
  icpBrasil: 'PBAD.PAdES',
  timestamp: 'ETSI.RFC3161',
  adobeDetached: 'adbe.pkcs7.detached',
  adobeSha1: 'adbe.pkcs7.sha1',
} as const;

export const subFilterOf = (signature: PdfDict): string | undefined => nameOf(signature.get('SubFilter'));

/** Whether it is a document timestamp: signed by an authority, and by no person. */
export const isDocumentTimestamp = (signature: PdfDict): boolean =>
  subFilterOf(signature) === SUB_FILTER.timestamp;
