import type { Language } from '../../../shared/ui/languages.ts';
import { type ErrorCode, errors } from '../errors.ts';
import { rows } from './rows.ts';

type Rows = typeof rows;
type SentenceCode = keyof Rows & string;

/** The names in braces. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type Value = string | number | Said;
type ParametersOf<Code extends SentenceCode> = [NamesIn<Rows[Code]['en']>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Rows[Code]['en']>, Value>>];

/** A sentence as it is stored: the code of its row, or of an error, and the values in it, which may be sentences. */
export type Said = { readonly code: string; readonly values?: Readonly<Record<string, Value>> };

/** A sentence of the table, or a text that came from elsewhere, such as the answer of another service. */
export type Sentence = string | Said;

/**
 * A sentence that is recorded. The API answers it in English, and pages show it in the language of the reader.
 * @example say('job.picked-up', { instance: 'main' }) // Picked up by main.
 */
export const say = <Code extends SentenceCode>(code: Code, ...[values]: ParametersOf<Code>): Said =>
  values === undefined ? { code } : { code, values };

/** The sentence of an error, in the error table. */
export const sayError = (code: ErrorCode): Said => ({ code });

/** A sentence about a file, for an event. */
export const ofFile = (file: string, text: Sentence): Said => say('of-file', { file, text });

/** Two sentences, one after the other. */
export const both = (first: Sentence, second: Sentence): Said => say('both', { first, second });

/** The sentence in a language. A code that no table has any more, and a text from elsewhere, are shown as they are. */
export function textIn(language: Language, sentence: Sentence): string {
  if (typeof sentence === 'string') return sentence;
  const { code, values = {} } = sentence;
  const row: Readonly<Record<Language, string>> | undefined = Object.hasOwn(rows, code)
    ? rows[code as SentenceCode]
    : undefined;
  const template = row?.[language] ?? errors.text(code, language) ?? code;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'object' ? textIn(language, value) : String(value);
  });
}

export const inEnglish = (sentence: Sentence): string => textIn('en', sentence);

/** The fields that a record has of a sentence: the English one for the API, and its code and values beside it. */
export const recordedAs = (sentence: Sentence): { readonly message: string; readonly said?: Said } =>
  typeof sentence === 'string' ? { message: sentence } : { message: inEnglish(sentence), said: sentence };
