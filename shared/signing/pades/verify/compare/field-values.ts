import { chargeTime } from '../../../../bounds/budget.ts';
import type { Field } from '../../fields.ts';
import { MEMBER_UNITS } from '../../pdf/budget.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { textOf } from '../../pdf/text.ts';
import {
  countOf,
  isArray,
  isStream,
  isString,
  nameOf,
  type PdfObject,
  type PdfValue,
} from '../../pdf/values.ts';
import { isEmptyValue } from '../shown/below.ts';
import { contentOf } from '../shown/content.ts';
import { isSame } from './values.ts';

// Flags of fields (ISO 32000-2, 12.7.4.1 and 12.7.5).
const READ_ONLY = 1 << 0;
const PASSWORD = 1 << 13;
const PUSH_BUTTON = 1 << 16;
const COMBO = 1 << 17;
const EDIT = 1 << 18;

// Flags of annotations: ReadOnly and LockedContents. Locked keeps the annotation in its place, and its value free.
const KEEPS_CONTENTS = (1 << 6) | (1 << 9);

/** An entry of a field, own or inherited (ISO 32000-2, 12.7.4.1). */
export function inherited(field: Field, key: string): PdfValue | undefined {
  let node: Field | undefined = field;
  while (node && !node.dict.has(key)) node = node.parent;
  return node?.dict.get(key);
}

/** The flags of a field; none are 0. */
export const flagsOf = (pdf: Pdf, field: Field): number => countOf(resolve(pdf, inherited(field, 'Ff'))) ?? 0;

/**
 * Whether a person can fill in this field. Shadow attack (replace): a push button has no value, and a field that is only
 * read is text of the document.
 */
export function isFillable(pdf: Pdf, field: Field): boolean {
  const flags = flagsOf(pdf, field);
  if (flags & READ_ONLY || (countOf(resolve(pdf, field.dict.get('F'))) ?? 0) & KEEPS_CONTENTS) return false;
  return field.type === 'Tx' || field.type === 'Ch' || (field.type === 'Btn' && (flags & PUSH_BUTTON) === 0);
}

/** Whether a person could have given the signed field this value. */
export function accepts(before: Pdf, after: Pdf, field: Field, value: PdfObject): boolean {
  if (value === null) return true;
  if (field.type === 'Btn') return nameOf(value) !== undefined;
  if (field.type === 'Tx') {
    const max = countOf(resolve(before, inherited(field, 'MaxLen')));
    const text = valueText(after, value);
    return text !== undefined && (max === undefined || text.length <= max);
  }
  const flags = flagsOf(before, field);
  const isOpen = (flags & COMBO) !== 0 && (flags & EDIT) !== 0;
  const chosen = (isArray(value) ? value : [value]).map((each) =>
    isStream(each) ? null : resolve(after, each),
  );
  const options = optionsOf(before, field).map(({ value: one }) => one);
  return chosen.every(
    (each) => isString(each) && (isOpen || textOf(each) === '' || options.includes(textOf(each))),
  );
}

/** The options of a choice: what is stored, and what is shown. */
function optionsOf(pdf: Pdf, field: Field): { readonly value: string; readonly shown: string }[] {
  return arrayOf(pdf, inherited(field, 'Opt')).map((item) => {
    const option = resolve(pdf, item);
    const [value, shown] = (isArray(option) ? option : [item, item]).map((each) => {
      const found = resolve(pdf, each);
      return isString(found) ? textOf(found) : '';
    });
    return { value: value ?? '', shown: shown ?? value ?? '' };
  });
}

/** The text of a text field, a string or a stream; undefined where it is none. */
export function valueText(pdf: Pdf, value: PdfObject): string | undefined {
  if (value === null) return '';
  if (isString(value)) return textOf(value);
  const content = isStream(value) ? contentOf(pdf, value) : undefined;
  return (
    content && textOf({ kind: 'string', raw: Buffer.concat([Buffer.from('('), content, Buffer.from(')')]) })
  );
}

/** Whether the field had a value to read when it was signed, which is another one now. */
export function isReplaced(
  before: Pdf,
  after: Pdf,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
): boolean {
  const [value, later] = [resolve(before, old), resolve(after, now)];
  if (isEmptyValue(value)) return false;
  return isStream(value) || isStream(later) || !isSame(value, later);
}

const plain = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');

/** Whether a look that shows this text shows the value of its field. */
export function isShownAs(before: Pdf, after: Pdf, field: Field, value: PdfObject, shown: string): boolean {
  const text = plain(shown);
  if (text === '') return true;
  if (field.type === 'Ch') {
    const options = optionsOf(before, field);
    const chosen = (isArray(value) ? value : [value]).map((each) => {
      const found = isStream(each) ? null : resolve(after, each);
      return isString(found) ? textOf(found) : '';
    });
    const names = chosen.map((each) => options.find((option) => option.value === each)?.shown ?? each);
    // A list box shows all its options, or those that its height has room for.
    const isList = (flagsOf(before, field) & COMBO) === 0;
    return (
      text === plain(names.join('')) ||
      text === plain(chosen.join('')) ||
      (isList &&
        areRows(
          before,
          text,
          options.map((option) => plain(option.shown)),
        ))
    );
  }
  const written = plain(valueText(after, value) ?? '');
  if (text === written) return true;
  if (flagsOf(before, field) & PASSWORD && /^[*•]+$/.test(text)) return true;
  // A script of the signed document writes numbers and dates in its own way.
  const actions = dictOf(before, inherited(field, 'AA'));
  return actions?.has('F') === true && isFormatted(written, text);
}

// Whole options, in their order. Shadow attack (replace): the end of one and the start of another say something else.
function areRows(pdf: Pdf, text: string, options: readonly string[]): boolean {
  return options.some((_, first) => {
    let at = 0;
    for (const option of options.slice(first)) {
      chargeTime(pdf.budget, MEMBER_UNITS + option.length);
      if (at === text.length || !text.startsWith(option, at)) break;
      at += option.length;
    }
    return at === text.length;
  });
}

const digitsOf = (text: string): string => [...text.replace(/\D/g, '')].sort().join('');

// 1234.5 is shown as R$ 1.234,50, and 2026-11-19 as 19/11/2026.
function isFormatted(value: string, shown: string): boolean {
  const number = Number(value.replace(',', '.'));
  if (value === '' || Number.isNaN(number))
    return digitsOf(value) !== '' && digitsOf(value) === digitsOf(shown);
  const digits = shown.replace(/[^\d.,]/g, '').replace(/[.,](?=.*[.,])/g, '');
  const isGrouped = /[.,]\d{3}$/.test(digits);
  const readings = [digits.replace(',', '.'), ...(isGrouped ? [digits.replace(/[.,]/, '')] : [])].map(Number);
  const parts = shown.includes('%') ? 100 : 1;
  return readings.some((read) => Math.abs(read / parts - Math.abs(number)) <= ROUNDING);
}

const ROUNDING = 0.0051;
