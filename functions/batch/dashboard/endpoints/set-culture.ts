import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { safeReturnPath } from '../../auth/domain/return-path.ts';
import { openPage } from '../../auth/http/open-page.ts';
import { cultureCookie, languageOf } from '../../auth/http/page-language.ts';
import { errors } from '../../errors.ts';
import { CultureQuery } from '../contract.ts';

/** For the forms of pages. It needs no session: the login page has a language too. */
export const handler = openPage(
  {
    route: 'POST /api/culture',
    summary: 'Set the language of the pages',
    description: 'Stores the language in a cookie for a year, and leads to `redirectUri`.',
    query: CultureQuery,
    answers: { 303: REDIRECT },
    refuses: ['culture.not-supported', 'auth.cross-origin'],
    undocumented: false,
  },
  async ({ query: { culture = '', redirectUri } }) => {
    const language = languageOf(culture);
    if (!language) throw errors.refuse('culture.not-supported');
    return redirect(safeReturnPath(redirectUri), { status: 303, cookies: [cultureCookie(language)] });
  },
);
