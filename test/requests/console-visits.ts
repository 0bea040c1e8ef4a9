import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { call } from './http-event.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'en' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };

/** A list where a field has several values. */
type Fields = Record<string, string> | [string, string][];
type Headers = Readonly<Record<string, string>>;

const bodyOf = (fields: Fields): string => String(new URLSearchParams(fields));

type ConsoleHandlers = Readonly<Record<'showPage' | 'submitForm' | 'showLogin' | 'submitLogin', Endpoint>>;

/** The console of a service and its log-in, as browsers visit them. */
export const consoleVisits = (service: string, handlers: ConsoleHandlers) => ({
  /** The pages and forms of the console for whoever has this cookie. */
  visitorWith: (session: string) => ({
    show: (path: string, query: Record<string, string> = {}, headers: Headers = {}) =>
      call(handlers.showPage, {
        path: `/${service}/console${path && `/${path}`}`,
        ...(path !== '' && { params: { path } }),
        query,
        headers: { ...BROWSER, Cookie: `sinete-member=${session}`, ...headers },
        address: randomUUID(),
      }),
    send: (path: string, fields: Fields = {}, headers: Headers = {}) =>
      call(handlers.submitForm, {
        method: 'POST',
        path: `/${service}/console/${path}`,
        params: { path },
        headers: { ...BROWSER, ...FORM, Cookie: `sinete-member=${session}`, ...headers },
        body: bodyOf(fields),
        address: randomUUID(),
      }),
    /** Sends a form whose encoding is the one for files. */
    sendFiles: async (path: string, fields: FormData) => {
      const form = new Response(fields);
      return call(handlers.submitForm, {
        method: 'POST',
        path: `/${service}/console/${path}`,
        params: { path },
        headers: {
          ...{ ...BROWSER, ...FORM, Cookie: `sinete-member=${session}` },
          'Content-Type': form.headers.get('content-type') ?? '',
        },
        body: await form.bytes(),
        address: randomUUID(),
      });
    },
  }),

  /** The log-in for a browser without a session. */
  atLogin: {
    show: (step?: string, query: Record<string, string> = {}, headers: Headers = {}) =>
      call(handlers.showLogin, {
        path: `/${service}/login${step ? `/${step}` : ''}`,
        ...(step && { params: { step } }),
        query,
        headers: { ...BROWSER, ...headers },
        address: randomUUID(),
      }),
    send: (step: string, fields: Fields = {}, headers: Headers = {}) =>
      call(handlers.submitLogin, {
        method: 'POST',
        path: `/${service}/login/${step}`,
        params: { step },
        headers: { ...BROWSER, ...FORM, ...headers },
        body: bodyOf(fields),
        address: randomUUID(),
      }),
  },
});

/** The session in the cookies of an answer. */
export const sessionOf = (cookies: readonly string[]): string =>
  /^sinete-member=([^;]*)/.exec(cookies.find((each) => each.startsWith('sinete-member=')) ?? '')?.[1] ?? '';
