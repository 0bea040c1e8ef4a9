import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Item } from '../../../items/domain/item.ts';
import { kindWords } from '../../pages/kind-words.ts';
import { labelOf, valueText } from './words/field-words.ts';

type Known = Readonly<Record<string, string | number | null | readonly string[] | undefined>>;

/** What a kind knows, by the names of the contract. */
export const knownOf = ({ data }: Item): Known => data as Known;

const textOf = (value: Known[string]): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** The person and the course of a credential, where it has them. */
export function studiesOf(item: Item) {
  const { studentName, course } = knownOf(item);
  return { studentName: textOf(studentName), course: textOf(course) };
}

/** The name by which people know an item: of its student, its curriculum, its number, its period or its file. */
export function itemName(item: Item, language: Language): string {
  const { code, sequenceNumber, type, startDate, endDate, identifier } = knownOf(item);
  const { studentName } = studiesOf(item);
  if (studentName) return studentName;
  const { one } = kindWords(item.kind, language);
  switch (item.kind) {
    case 'curriculum':
      return textOf(code) ?? one;
    case 'cancellationList':
      return `${one} ${textOf(sequenceNumber)}`;
    case 'inspectionFile':
      return `${valueText(String(type), language)}: ${startDate} – ${endDate}`;
    default:
      return labelOf(textOf(identifier) ?? one, language);
  }
}
