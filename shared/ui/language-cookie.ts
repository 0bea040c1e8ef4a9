import type { Answer, Cookie } from '../http/response/answer.ts';
import { type Language, languageFor } from './languages.ts';

export type LanguageRequest = {
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
};

const YEAR_SECONDS = 31_536_000;

/**
 * The cookie that remembers the language of a visitor for a year, for all pages below a path. `textOf` is the name that it
 * has for a language.
 * @example const { pageLanguage } = languageCookie({ name: 'sinete-language', textOf: (language) => language });
 */
export function languageCookie({
  name,
  textOf,
}: {
  readonly name: string;
  readonly textOf: (language: Language) => string;
}) {
  /** The language of a page: the one in the link, the one that was chosen before, or the browser's. */
  const pageLanguage = ({ query, cookies, headers }: LanguageRequest): Language =>
    languageFor({ lang: query.lang, chosen: cookies[name], acceptLanguage: headers['accept-language'] });

  const cookieOf = (language: Language, path: string): Cookie => ({
    name,
    value: textOf(language),
    path,
    maxAge: YEAR_SECONDS,
  });

  return {
    pageLanguage,
    cookieOf,

    /** Remembers a language that was chosen by its link: forms and redirects carry none. */
    remember: (answer: Answer, request: LanguageRequest, path: string): Answer =>
      request.query.lang === undefined
        ? answer
        : { ...answer, cookies: [...answer.cookies, cookieOf(pageLanguage(request), path)] },
  };
}
