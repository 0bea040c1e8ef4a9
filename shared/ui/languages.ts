/** The languages that pages speak. */
export const LANGUAGES = ['en', 'pt-BR'] as const;
export type Language = (typeof LANGUAGES)[number];

// Who signs here holds a Brazilian certificate: a browser that asks for neither language gets Portuguese.
const DEFAULT_LANGUAGE: Language = 'pt-BR';

type LanguageRequest = {
  /** `?lang=`, which goes before what the browser is set to. */
  readonly lang?: unknown;
  readonly acceptLanguage?: string | undefined;
};

/**
 * The language to answer in: the one the link names, or the best that the browser accepts.
 * @example languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] }) // 'pt-BR'
 */
export function languageFor({ lang, acceptLanguage = '' }: LanguageRequest): Language {
  const accepted = acceptLanguage
    .split(',')
    .map(parseAccepted)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  const named = typeof lang === 'string' ? [lang] : [];
  for (const tag of [...named, ...accepted]) {
    const found = supportedLanguage(tag);
    if (found) return found;
  }
  return DEFAULT_LANGUAGE;
}

function parseAccepted(entry: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

// Any English is English, and Portuguese of any country is nearer than English.
const supportedLanguage = (tag: string): Language | undefined => {
  const [primary] = tag.toLowerCase().split('-');
  return LANGUAGES.find((language) => language.split('-')[0] === primary);
};
