import type { Said, SaidValue } from '../errors/said.ts';
import type { Language } from './languages.ts';

/** Sentences in every language of the pages, by their codes. Values are in braces. */
export type SentenceRows = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** A sentence of a table, or a text that came from elsewhere, such as the answer of another service. */
export type Sentence = string | Said;

/**
 * Rows whose English is their code, such as the rules of a contract, which are said in its own words.
 * @example ownWords({ 'is not a CPF': 'não é um CPF' })
 */
export const ownWords = <const Words extends Readonly<Record<string, string>>>(words: Words) =>
  Object.fromEntries(Object.entries(words).map(([en, pt]) => [en, { en, 'pt-BR': pt }])) as {
    readonly [Code in keyof Words & string]: { readonly en: Code; readonly 'pt-BR': string };
  };

/** The names in braces. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type ParametersOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Text>, SaidValue>>];

/**
 * The sentences that a service records. The API answers them in English, and pages show them in the language of the
 * reader. `textElsewhere` has those of codes that are no row, such as errors.
 * @example export const { say, textIn } = sentenceTable(rows, errors.text);
 *          textIn('pt-BR', say('job.picked-up', { instance: 'main' })) // 'Iniciado por main.'
 */
export function sentenceTable<const Rows extends SentenceRows>(
  rows: Rows,
  textElsewhere: (code: string, language: Language) => string | undefined = () => undefined,
) {
  const templateOf = (code: string, language: Language): string | undefined =>
    Object.hasOwn(rows, code) ? rows[code]?.[language] : textElsewhere(code, language);

  /** The sentence in a language. A code that no table has any more, and a text from elsewhere, are shown as they are. */
  const textIn = (language: Language, sentence: Sentence): string => {
    if (typeof sentence === 'string') return sentence;
    const { code, values = {} } = sentence;
    return (templateOf(code, language) ?? code).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'object' ? textIn(language, value) : String(value);
    });
  };
  const inEnglish = (sentence: Sentence): string => textIn('en', sentence);

  return {
    rows,
    say: <Code extends keyof Rows & string>(code: Code, ...[values]: ParametersOf<Rows[Code]['en']>): Said =>
      values === undefined ? { code } : { code, values },
    textIn,
    inEnglish,
    /** Whether a sentence can be said in the languages of the pages. */
    isKnown: ({ code }: Said): boolean => templateOf(code, 'en') !== undefined,
    /** The fields that a record has of a sentence: the English one for the API, and its code and values beside it. */
    recordedAs: (sentence: Sentence): { readonly message: string; readonly said?: Said } =>
      typeof sentence === 'string' ? { message: sentence } : { message: inEnglish(sentence), said: sentence },
  };
}
