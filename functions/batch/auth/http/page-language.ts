import type { Answer, Cookie } from '../../../../shared/http/response/answer.ts';
import { type Language, languageFor } from '../../../../shared/ui/languages.ts';
import { basePath } from '../domain/return-path.ts';

const CULTURE_COOKIE = 'lbs-culture';
const YEAR_SECONDS = 31_536_000;

/** The name that the specification has for the language of a page. */
export const CULTURES: Readonly<Record<Language, string>> = { en: 'en-US', 'pt-BR': 'pt-BR' };

type LanguageRequest = {
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The language of a page: the one in the link, the one that was chosen before, or the browser's.
 * @example const language = pageLanguage(input);
 */
export const pageLanguage = ({ query, cookies, headers }: LanguageRequest): Language =>
  languageFor({
    lang: query.lang,
    chosen: cookies[CULTURE_COOKIE],
    acceptLanguage: headers['accept-language'],
  });

/** The language of a culture, in any case; undefined where no page has it. @example languageOf('PT-br') // 'pt-BR' */
export const languageOf = (culture: string): Language | undefined =>
  (['en', 'pt-BR'] as const).find((each) => CULTURES[each].toLowerCase() === culture.toLowerCase());

/** Remembers a language for a year, for all pages of the service. */
export const cultureCookie = (language: Language): Cookie => ({
  name: CULTURE_COOKIE,
  value: CULTURES[language],
  path: basePath(),
  maxAge: YEAR_SECONDS,
});

/** Remembers a language that was chosen by its link: forms and redirects carry none. */
export const rememberLanguage = (answer: Answer, input: LanguageRequest): Answer =>
  input.query.lang === undefined
    ? answer
    : { ...answer, cookies: [...answer.cookies, cultureCookie(pageLanguage(input))] };
