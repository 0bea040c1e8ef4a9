import { redirect } from '../../../../shared/http/answer.ts';
import { isCrossOrigin } from '../../../../shared/http/cross-origin.ts';
import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { safeReturnPath } from '../../auth/domain/return-path.ts';
import { cultureCookie, languageOf } from '../../auth/http/page-language.ts';
import { errors } from '../../errors.ts';
import { batch } from '../../service.ts';
import { CultureQuery } from '../contract.ts';

/** For the forms of pages. It needs no session: the login page has a language too. */
export const handler = batch.endpoint(
  {
    route: 'POST /api/culture',
    summary: 'Set the language of the pages',
    description: 'Stores the language in a cookie for a year, and leads to `redirectUri`.',
    query: CultureQuery,
    answers: { 303: REDIRECT },
    refuses: ['culture.not-supported', 'auth.cross-origin'],
    access: 'public',
  },
  async ({ query: { culture = '', redirectUri }, headers }) => {
    if (isCrossOrigin(headers)) throw errors.refuse('auth.cross-origin');
    const language = languageOf(culture);
    if (!language) throw errors.refuse('culture.not-supported');
    return redirect(safeReturnPath(redirectUri), { status: 303, cookies: [cultureCookie(language)] });
  },
);
