import { refuseBecause, say } from '../../../sentences/sentences.ts';

// Algorithmic complexity attack: blanks around the name are cut off afterwards. `\s*` beside `[^{}]*` takes the square of
// a run of blanks without an end.
const NAMED = /\{\{([^{}]*)\}\}/g;

/** The columns that the texts of a JSON value name. @example columnsIn({ name: '{{nome}}' }) // ['nome'] */
export function columnsIn(value: unknown): string[] {
  const names = new Set<string>();
  mapTexts(value, (text) => {
    for (const [, name = ''] of text.matchAll(NAMED)) names.add(name.trim());
    return text;
  });
  return [...names];
}

/** Letters of a text, or of all texts of a JSON value, with its values: more than a hundred pages. */
export const MAX_FILLED_LETTERS = 524_288;

type Values = Readonly<Record<string, string>>;

/**
 * The same text with the values of the columns that it names. A value that looks like a name stays as it is. Refused with
 * InvalidRequest where it would be too long.
 */
export const fillText = (text: string, values: Values): string => fillPatterns(text, values) as string;

/** The same JSON value with the values of columns in its texts. Refused with InvalidRequest where it would be too long. */
export function fillPatterns(value: unknown, values: Values): unknown {
  refuseTooLong(value, values);
  return mapTexts(value, (text) => text.replace(NAMED, (_, name: string) => valueNamed(values, name)));
}

const valueNamed = (values: Values, name: string): string => values[name.trim()] ?? '';

// The length is known before anything is made: a text that names a column many times, and a long value of it, are its
// product.
function refuseTooLong(value: unknown, values: Values): void {
  let letters = 0;
  mapTexts(value, (text) => {
    letters += text.length;
    for (const [named, name = ''] of text.matchAll(NAMED))
      letters += valueNamed(values, name).length - named.length;
    return text;
  });
  if (letters > MAX_FILLED_LETTERS)
    throw refuseBecause('InvalidRequest', say('values.too-long', { letters: MAX_FILLED_LETTERS }), {
      field: 'values',
    });
}

/** The same with values that could be those of a line, to see whether the rest holds. Each is used once. */
export function fillWithSamples(value: unknown): unknown {
  let number = 0;
  return mapTexts(value, (text, key) => {
    if (!text.includes('{{')) return text;
    number += 1;
    if (/email/i.test(key)) return `person${number}@sinete.example`;
    // Taxpayer numbers may be left out, and two people may not have the same.
    return /identifier/i.test(key) || key === 'id' ? '' : `Sample ${number}`;
  });
}

/** `key` is the name of the field that the text is in; in a list, of the list. */
function mapTexts(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapTexts(each, change, name)]),
  );
}
