import type { Field } from './fields.ts';
import { type Catalog, dictOf, type Pdf, resolve } from './pdf/document.ts';
import { print } from './pdf/print.ts';
import { countOf, type PdfDict } from './pdf/values.ts';
import type { ChangeLevel } from './permissions.ts';

/** What the new signature forbids afterwards: as certification, or as the form's author asked of the field. */
export function printTransforms(
  pdf: Pdf,
  { ref }: Catalog,
  field: Field | undefined,
  certify: ChangeLevel | undefined,
): string {
  const lock = field && dictOf(pdf, field.dict.get('Lock'));
  const level = certify ?? (lock && countOf(resolve(pdf, lock.get('P'))));
  const made = [
    ...(level === undefined ? [] : [printReference('DocMDP', `/P ${level}/V/1.2`, print(ref))]),
    ...(lock ? [printReference('FieldMDP', `${printLock(lock)}/V/1.2`, print(ref))] : []),
  ];
  return made.length ? `/Reference[${made.join('')}]` : '';
}

const printReference = (method: string, parameters: string, data: string): string =>
  `<</Type/SigRef/TransformMethod/${method}/TransformParams<</Type/TransformParams${parameters}>>/Data ${data}>>`;

const printLock = (lock: PdfDict): string =>
  ['Action', 'Fields']
    .map((key) => (lock.has(key) ? `/${key} ${print(lock.get(key) ?? null)}` : ''))
    .join('');
