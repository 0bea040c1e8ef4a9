import { randomUUID } from 'node:crypto';
import { handler as showPage } from '../../../../functions/batch/dashboard/endpoints/show-page.ts';
import { handler as submitForm } from '../../../../functions/batch/dashboard/endpoints/submit-form.ts';
import { call } from '../../../requests/http-event.ts';
import { FORM, givenSession } from '../auth/operator.ts';

export const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'en' };

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];
type Headers = Readonly<Record<string, string>>;

/** A header that is given as '' is not sent. */
const withoutEmpty = (headers: Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));

/** The pages and forms of the dashboard for whoever has a cookie. */
export const visitorWith = (cookie: string) => ({
  show: (path: string, query: Record<string, string> = {}, headers: Headers = {}) =>
    call(showPage, {
      path: `/batch/dashboard/${path}`,
      params: { path },
      query,
      headers: { ...BROWSER, Cookie: cookie, ...headers },
      address: randomUUID(),
    }),
  send: (path: string, fields: Fields = {}, headers: Headers = {}) =>
    call(submitForm, {
      method: 'POST',
      path: `/batch/dashboard/${path}`,
      params: { path },
      headers: withoutEmpty({
        ...BROWSER,
        Cookie: cookie,
        'Content-Type': FORM,
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      }),
      body: String(new URLSearchParams(fields as Record<string, string>)),
      address: randomUUID(),
    }),
});

/** An operator who has logged in, in a browser. */
export async function operatorVisitor() {
  const session = await givenSession();
  return { session, ...visitorWith(`lbs-auth=${session}`) };
}
