import type { Language } from './languages.ts';

/** A text, or a function of values. The functions of one row take the same values in every language. */
type Phrase = string | ((...values: never[]) => string);

/** One row per text, one column per language. A row without a language does not compile. */
type Rows = Readonly<Record<string, Readonly<Record<Language, Phrase>>>>;

/** The texts in one language. An unknown name does not compile. */
export type Words<R extends Rows> = {
  readonly [Name in keyof R]: R[Name]['en'] extends string ? string : R[Name][Language];
};

/**
 * Texts in every language of the pages, as data.
 * @example const words = translations({ sign: { en: 'Sign', 'pt-BR': 'Assinar' } });
 *          words('pt-BR').sign // 'Assinar'
 */
export function translations<const R extends Rows>(rows: R): (language: Language) => Words<R> {
  // Made once: the rows of a long list ask for their words each.
  const made = new Map<Language, Words<R>>();
  return (language) => {
    const known = made.get(language);
    if (known) return known;
    const words = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row[language]]));
    made.set(language, words as Words<R>);
    return words as Words<R>;
  };
}
