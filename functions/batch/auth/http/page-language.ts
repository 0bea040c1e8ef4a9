import type { Answer, Cookie } from '../../../../shared/http/response/answer.ts';
import { type LanguageRequest, languageCookie } from '../../../../shared/ui/language-cookie.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { basePath } from '../domain/return-path.ts';

/** The name that the specification has for the language of a page. */
export const CULTURES: Readonly<Record<Language, string>> = { en: 'en-US', 'pt-BR': 'pt-BR' };

const cookie = languageCookie({ name: 'lbs-culture', textOf: (language) => CULTURES[language] });

export const { pageLanguage } = cookie;

/** The language of a culture, in any case; undefined where no page has it. @example languageOf('PT-br') // 'pt-BR' */
export const languageOf = (culture: string): Language | undefined =>
  (['en', 'pt-BR'] as const).find((each) => CULTURES[each].toLowerCase() === culture.toLowerCase());

/** Remembers a language for a year, for all pages of the service. */
export const cultureCookie = (language: Language): Cookie => cookie.cookieOf(language, basePath());

/** Remembers a language that was chosen by its link: forms and redirects carry none. */
export const rememberLanguage = (answer: Answer, request: LanguageRequest): Answer =>
  cookie.remember(answer, request, basePath());
