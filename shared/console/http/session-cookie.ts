import { basePathOf } from '../../access/return-path.ts';
import type { Answer, Cookie } from '../../http/response/answer.ts';
import type { ServiceName } from '../../settings/names.ts';
import { type Language, languageFor } from '../../ui/languages.ts';

const SESSION = 'sinete-member';
const LANGUAGE = 'sinete-language';
const YEAR_SECONDS = 31_536_000;

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

type LanguageRequest = {
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: Cookies;
  readonly headers: Readonly<Record<string, string>>;
};

/** The language of a page: the one in the link, the one that was chosen before, or the browser's. */
export const pageLanguage = ({ query, cookies, headers }: LanguageRequest): Language =>
  languageFor({
    lang: query.lang,
    chosen: cookies[LANGUAGE],
    acceptLanguage: headers['accept-language'],
  });

/** Remembers a language that was chosen by its link: forms and redirects carry none. */
export const rememberLanguage =
  (service: ServiceName) =>
  (answer: Answer, request: LanguageRequest): Answer =>
    request.query.lang === undefined
      ? answer
      : {
          ...answer,
          cookies: [
            ...answer.cookies,
            {
              name: LANGUAGE,
              value: pageLanguage(request),
              path: basePathOf(service),
              maxAge: YEAR_SECONDS,
            },
          ],
        };
