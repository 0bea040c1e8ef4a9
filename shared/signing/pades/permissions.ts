import { type Budget, chargeMemory, chargeTime } from '../../bounds/budget.ts';
import { type Field, signatureOf } from './fields.ts';
import { LETTER_UNITS, MEMBER_UNITS, STRING_BYTES } from './pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from './pdf/document.ts';
import { textOf } from './pdf/text.ts';
import { countOf, isString, nameOf, type PdfDict } from './pdf/values.ts';

/** 1: no change at all. 2: filling in forms and signing. 3: annotations too. */
export type ChangeLevel = 1 | 2 | 3;

/** Which fields a signature locks. */
export type FieldLock = {
  readonly action: 'All' | 'Include' | 'Exclude';
  readonly fields: ReadonlySet<string>;
};

/** What the signatures in a document still allow. */
export type Permissions = {
  readonly level: ChangeLevel | undefined;
  readonly locks: readonly FieldLock[];
  readonly budget: Budget;
};

/** What those who signed a document allow afterwards: the strictest of them counts. */
export function permissionsOf(pdf: Pdf, catalog: PdfDict, fields: readonly Field[]): Permissions {
  const certification = dictOf(pdf, dictOf(pdf, catalog.get('Perms'))?.get('DocMDP'));
  const signed = fields.flatMap((field) => {
    const signature = signatureOf(pdf, field);
    return signature ? [{ signature, lock: dictOf(pdf, field.dict.get('Lock')) }] : [];
  });
  const transforms = [certification, ...signed.map(({ signature }) => signature)].flatMap((signature) =>
    signature ? transformsOf(pdf, signature) : [],
  );
  const certified = transforms.filter(({ method }) => method === 'DocMDP');
  const locking = transforms.filter(({ method }) => method === 'FieldMDP');
  const lockings = [
    ...locking.map(({ parameters }) => parameters),
    ...signed.flatMap(({ lock }) => lock ?? []),
  ];
  const levels = [
    ...certified.map(({ parameters }) => levelOf(pdf, parameters) ?? 2),
    ...lockings.flatMap((parameters) => levelOf(pdf, parameters) ?? []),
  ];
  const locks = lockings.map((parameters) => lockOf(pdf, parameters));
  return { level: strictest(levels), locks, budget: pdf.budget };
}

const strictest = (levels: readonly ChangeLevel[]): ChangeLevel | undefined => levels.toSorted()[0];

type Transform = { readonly method: string | undefined; readonly parameters: PdfDict };

function transformsOf(pdf: Pdf, signature: PdfDict): Transform[] {
  return arrayOf(pdf, signature.get('Reference')).flatMap((value) => {
    const reference = dictOf(pdf, value);
    if (!reference) return [];
    const parameters = dictOf(pdf, reference.get('TransformParams')) ?? new Map();
    return [{ method: nameOf(resolve(pdf, reference.get('TransformMethod'))), parameters }];
  });
}

function levelOf(pdf: Pdf, parameters: PdfDict): ChangeLevel | undefined {
  const level = countOf(resolve(pdf, parameters.get('P')));
  return level === 1 || level === 2 || level === 3 ? level : undefined;
}

/** A lock as it stands in a field or a signature. One that cannot be understood locks everything. */
export function lockOf(pdf: Pdf, parameters: PdfDict): FieldLock {
  const action = nameOf(resolve(pdf, parameters.get('Action')));
  const fields = arrayOf(pdf, parameters.get('Fields')).flatMap((value) => {
    const name = resolve(pdf, value);
    if (!isString(name)) return [];
    chargeMemory(pdf.budget, STRING_BYTES + name.raw.length);
    return [textOf(name)];
  });
  return { action: action === 'Include' || action === 'Exclude' ? action : 'All', fields: new Set(fields) };
}

/** Whether a signature forbids that this field changes. A group that is locked locks what is in it. */
export function isLocked({ locks, budget }: Permissions, field: string): boolean {
  const parts = field.split('.');
  chargeTime(budget, parts.length * (field.length * LETTER_UNITS + locks.length * MEMBER_UNITS));
  const groups = parts.map((_, at) => parts.slice(0, at + 1).join('.'));
  return locks.some(({ action, fields }) => {
    const isNamed = groups.some((name) => fields.has(name));
    return action === 'All' || isNamed === (action === 'Include');
  });
}
