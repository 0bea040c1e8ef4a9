import { PAGE, REDIRECT } from '../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../shared/http/page-endpoint.ts';
import { redirect } from '../../../shared/http/response/answer.ts';
import { ANYBODY } from '../../../shared/ui/languages.ts';
import { type ReturnRequest, returnUser } from '../domain/return-user.ts';
import { lostReturnPage } from '../pages/lost-return-page.ts';
import { hub } from '../service.ts';

// RFC 6749, appendix A.11. Real codes have some hundred characters, or are tokens of a few thousand. Anything else is
// not sent to the provider: its failure would count against the circuit.
const CODE = /^[\x20-\x7e]{1,8192}$/;

type Value = string | string[] | undefined;
type Query = { readonly state?: Value; readonly code?: Value; readonly error?: Value };

/** Parameter pollution: a parameter that is given twice makes the whole return unreadable. */
function parseReturn({ state = '', code = '', error = '' }: Query): ReturnRequest | undefined {
  if (Array.isArray(state) || Array.isArray(code) || Array.isArray(error)) return undefined;
  // RFC 6749, 3.1: a parameter without a value counts as left out.
  return { state, code: CODE.test(code) ? code : undefined, error: error || undefined };
}

/** Providers send users here, and the hub sends them on. Open redirect: nothing in the address says where to. */
export const handler = pageEndpoint(hub, ANYBODY)(
  {
    route: 'GET /api/sessions/callback',
    summary: 'Where providers send users back',
    answers: { 302: REDIRECT, 400: PAGE },
  },
  async ({ query }, { language }) => {
    const request = parseReturn(query);
    const onward = request && (await returnUser(request, () => Date.now()));
    return onward === undefined
      ? lostReturnPage(language)
      : redirect(onward, { headers: { 'referrer-policy': 'no-referrer' } });
  },
);
