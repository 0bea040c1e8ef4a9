import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { documents } from '../../service.ts';
import { pageLanguage, rememberLanguage } from '../http/session-cookie.ts';
import { refusedLoginPage } from './login-page.ts';
import { returnPathOf } from './visitor.ts';

/** A step of a log-in. Where it cannot be judged, while the store is away or after too many tries, a browser is shown that. */
export const loginEndpoint = pageEndpoint(documents, {
  language: pageLanguage,
  visitors: 'anybody',
  refusalPage: (refusal, { language, call }) =>
    refusedLoginPage({ language, returnPath: returnPathOf(call.query.ReturnUrl) }, refusal),
  finish: rememberLanguage,
});
