/** The languages of the pages. */
export const LANGUAGES = ['en', 'pt-BR'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português' };

// Signers hold Brazilian certificates, so a browser that accepts neither language gets Portuguese.
const DEFAULT_LANGUAGE: Language = 'pt-BR';

type LanguageRequest = {
  /** `?lang=`, which overrides the browser's setting. */
  readonly lang?: unknown;
  /** The language that the person chose before. */
  readonly chosen?: string | undefined;
  readonly acceptLanguage?: string | undefined;
};

/**
 * The language of the answer: the one in the link, the one chosen before, or the best that the browser accepts (RFC 9110, 12.5.4).
 * @example languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] }) // 'pt-BR'
 */
export function languageFor({ lang, chosen, acceptLanguage = '' }: LanguageRequest): Language {
  const accepted = acceptLanguage
    .split(',')
    .map(parseAccepted)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  const named = [lang, chosen].filter((tag) => typeof tag === 'string');
  for (const tag of [...named, ...accepted]) {
    const found = supportedLanguage(tag);
    if (found) return found;
  }
  return DEFAULT_LANGUAGE;
}

type LinkRequest = {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
};

/** The language in the link, or the browser's. */
const linkLanguage = ({ query, headers }: LinkRequest): Language =>
  languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] });

/** The rules of a page that anybody may open. @example pageEndpoint(documents, ANYBODY)({ route: 'GET /webhooks', … }, …) */
export const ANYBODY = { language: linkLanguage, visitors: 'anybody' } as const;

function parseAccepted(entry: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

// By primary tag: en-GB is English, and pt-PT gets pt-BR.
const supportedLanguage = (tag: string): Language | undefined => {
  const [primary] = tag.toLowerCase().split('-');
  return LANGUAGES.find((language) => language.split('-')[0] === primary);
};
