import { type Budget, chargeMemory, chargeTime } from '../../bounds/budget.ts';
import { type Field, signatureOf } from './fields.ts';
import { LETTER_UNITS, MEMBER_UNITS, STRING_BYTES } from './pdf/budget.ts';
import { arrayOf, type Catalog, dictOf, type Pdf, resolve } from './pdf/document.ts';
import { textOf } from './pdf/text.ts';
import { countOf, isString, nameOf, type PdfDict, print } from './pdf/values.ts';

/** The DocMDP levels (ISO 32000-2, 12.8.2.2). 1: no changes. 2: filling in forms and signing. 3: annotations too. */
export type ChangeLevel = 1 | 2 | 3;

/** The fields that a signature locks (FieldMDP: ISO 32000-2, 12.8.2.4). */
export type FieldLock = {
  readonly action: 'All' | 'Include' | 'Exclude';
  readonly fields: ReadonlySet<string>;
};

/** The changes that the signatures in a document still allow. */
export type Permissions = {
  readonly level: ChangeLevel | undefined;
  readonly locks: readonly FieldLock[];
  readonly budget: Budget;
};

/** The permissions of a signed document: the strictest signer counts. */
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

/** Whether this signature certifies the document (DocMDP), rather than approves it. */
export const isCertification = (pdf: Pdf, signature: PdfDict): boolean =>
  transformsOf(pdf, signature).some(({ method }) => method === 'DocMDP');

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

/** The lock of a field or a signature. An unknown action locks everything. */
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

/** Whether a signature locks this field, directly or through a group above it. */
export function isLocked({ locks, budget }: Permissions, field: string): boolean {
  const parts = field.split('.');
  chargeTime(budget, parts.length * (field.length * LETTER_UNITS + locks.length * MEMBER_UNITS));
  const groups = parts.map((_, at) => parts.slice(0, at + 1).join('.'));
  return locks.some(({ action, fields }) => {
    const isNamed = groups.some((name) => fields.has(name));
    return action === 'All' || isNamed === (action === 'Include');
  });
}

/** Prints the transforms of a new signature: its certification level, and the lock that the form's author put on the field. */
export function printTransforms(
  pdf: Pdf,
  { ref }: Catalog,
  field: Field | undefined,
  certify: ChangeLevel | undefined,
): string {
  const lock = field && dictOf(pdf, field.dict.get('Lock'));
  const level = certify ?? (lock && countOf(resolve(pdf, lock.get('P'))));
  const references = [
    ...(level === undefined ? [] : [printReference('DocMDP', `/P ${level}/V/1.2`, print(ref))]),
    ...(lock ? [printReference('FieldMDP', `${printLock(lock)}/V/1.2`, print(ref))] : []),
  ];
  return references.length ? `/Reference[${references.join('')}]` : '';
}

const printReference = (method: string, parameters: string, data: string): string =>
  `<</Type/SigRef/TransformMethod/${method}/TransformParams<</Type/TransformParams${parameters}>>/Data ${data}>>`;

const printLock = (lock: PdfDict): string =>
  ['Action', 'Fields']
    .map((key) => (lock.has(key) ? `/${key} ${print(lock.get(key) ?? null)}` : ''))
    .join('');
