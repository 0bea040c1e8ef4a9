import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { batch } from '../../service.ts';
import { safeReturnPath } from '../domain/return-path.ts';
import { refusedLoginPage } from '../pages/login-page.ts';
import { pageLanguage, rememberLanguage } from './page-language.ts';

/** A page, or a form of pages, that needs no session. */
export const openPage = pageEndpoint(batch, { language: pageLanguage, visitors: 'anybody' });

/**
 * A step of a login. Where it cannot be judged, while the store is away or after too many tries, a browser is shown that.
 * `root` is the relative path from it to the service's base path.
 * @example export const handler = loginEndpoint('../..')({ route: 'GET /api/auth/idp-callback', … }, async (input, { language }) => page);
 */
export const loginEndpoint = (root: string) =>
  pageEndpoint(batch, {
    language: pageLanguage,
    visitors: 'anybody',
    refusalPage(refusal, { language, call }) {
      const { ReturnUrl: given } = call.query;
      const returnPath = safeReturnPath(typeof given === 'string' ? given : undefined);
      return refusedLoginPage({ language, returnPath, root }, refusal);
    },
    finish: rememberLanguage,
    // A login proves itself: by the key in its form, or by the answer of the identity provider.
    fromOtherSites: () => 'any',
  });
