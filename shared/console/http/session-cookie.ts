import { basePathOf } from '../../access/return-path.ts';
import type { Answer, Cookie } from '../../http/response/answer.ts';
import type { ServiceName } from '../../settings/names.ts';
import { type LanguageRequest, languageCookie } from '../../ui/language-cookie.ts';

const SESSION = 'sinete-member';

type Cookies = Readonly<Record<string, string | undefined>>;

/** The session in the cookies of a request. Of two cookies of the name the first counts, as browsers order them. */
export const sessionIn = (cookies: Cookies): string | undefined => cookies[SESSION];

/** It has no age: a browser keeps it until it closes, and the server decides how long the session lasts. */
export const sessionCookie = (service: ServiceName, value: string): Cookie => ({
  name: SESSION,
  value,
  path: basePathOf(service),
});

/** Makes the browser forget the cookie. */
export const noSessionCookie = (service: ServiceName): Cookie => ({
  ...sessionCookie(service, ''),
  maxAge: 0,
});

const language = languageCookie({ name: 'sinete-language', textOf: (chosen) => chosen });

export const { pageLanguage } = language;

/** Remembers a language that was chosen by its link: forms and redirects carry none. */
export const rememberLanguage =
  (service: ServiceName) =>
  (answer: Answer, request: LanguageRequest): Answer =>
    language.remember(answer, request, basePathOf(service));
