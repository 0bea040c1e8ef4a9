/** The languages that pages speak. */
export const LANGUAGES = ['en', 'pt-BR'] as const;
export type Language = (typeof LANGUAGES)[number];

// Who signs here holds a Brazilian certificate: a browser that asks for neither language gets Portuguese.
const USUAL: Language = 'pt-BR';

type Asked = {
  /** `?lang=`, which goes before what the browser is set to. */
  readonly lang?: unknown;
  readonly acceptLanguage?: string | undefined;
};

/**
 * The language to answer in: the one the link names, or the best that the browser accepts.
 * @example languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] }) // 'pt-BR'
 */
export function languageFor({ lang, acceptLanguage = '' }: Asked): Language {
  const wished = acceptLanguage
    .split(',')
    .map(readWish)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  const named = typeof lang === 'string' ? [lang] : [];
  for (const tag of [...named, ...wished]) {
    const found = spoken(tag);
    if (found) return found;
  }
  return USUAL;
}

function readWish(entry: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

// Any English is English, and Portuguese of any country is nearer than English.
const spoken = (tag: string): Language | undefined => {
  const [primary] = tag.toLowerCase().split('-');
  return LANGUAGES.find((language) => language.split('-')[0] === primary);
};
