import type { Cookie } from '../../shared/http/answer.ts';
import { type Language, languageFor } from '../../shared/ui/languages.ts';
import { basePath } from './auth/domain/return-path.ts';

const LANGUAGE_COOKIE = 'lbs-culture';
const YEAR_SECONDS = 365 * 86_400;

type PageRequest = {
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
};

/** The language of a page: the one in the link, the one that was chosen before, or the browser's. */
export const pageLanguage = ({ query, cookies, headers }: PageRequest): Language =>
  languageFor({ lang: query.lang ?? cookies[LANGUAGE_COOKIE], acceptLanguage: headers['accept-language'] });

/** Remembers a language that was chosen. */
export const languageCookie = (language: Language): Cookie => ({
  name: LANGUAGE_COOKIE,
  value: language,
  path: basePath(),
  maxAge: YEAR_SECONDS,
});
