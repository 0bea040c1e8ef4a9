import { redirect } from '../../../shared/http/answer.ts';
import { PAGE, REDIRECT } from '../../../shared/http/declaration.ts';
import { languageFor } from '../../../shared/ui/languages.ts';
import { type ReturnRequest, returnUser } from '../domain/return-user.ts';
import { lostReturnPage } from '../pages/lost-return-page.ts';
import { hub } from '../service.ts';

// RFC 6749, appendix A. Codes of real providers have some hundred characters, or are tokens of a few thousand; what
// is no code at all makes some of them fail, which others would pay for.
const CODE = /^[\x20-\x7e]{1,8192}$/;

type Value = string | string[] | undefined;
type Query = { readonly state?: Value; readonly code?: Value; readonly error?: Value };

/** What the address says. A value that is given twice is read differently by different readers, so nobody reads it. */
function broughtBy({ state = '', code = '', error = '' }: Query): ReturnRequest | undefined {
  if (Array.isArray(state) || Array.isArray(code) || Array.isArray(error)) return undefined;
  // What has no value counts as left out (RFC 6749, 3.1).
  return { state, code: CODE.test(code) ? code : undefined, error: error || undefined };
}

/** Where providers send users back, and the hub sends them on. Nothing in the address says where to. */
export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/callback',
    summary: 'Where providers send users back',
    answers: { 302: REDIRECT, 400: PAGE },
    access: 'public',
    undocumented: true,
  },
  async ({ query, headers }) => {
    const brought = broughtBy(query);
    const onward = brought && (await returnUser(brought));
    return onward === undefined
      ? lostReturnPage(languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] }))
      : redirect(onward, { headers: { 'referrer-policy': 'no-referrer' } });
  },
);
