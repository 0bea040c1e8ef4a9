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

/** The same text with the values of the columns that it names. A value that looks like a name stays as it is. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(NAMED, (_, name: string) => values[name.trim()] ?? '');

/** The same JSON value with the values of columns in its texts. */
export const fillPatterns = (value: unknown, values: Readonly<Record<string, string>>): unknown =>
  mapTexts(value, (text) => fillText(text, values));

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
