import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../shared/http/answer.ts';
import type { RefusedRequest } from '../../../../shared/http/declaration.ts';
import { safeReturnPath } from '../domain/return-path.ts';
import { refusedLoginPage } from '../pages/login-page.ts';
import { pageLanguage } from './page-language.ts';

/**
 * What a browser is shown where a login cannot be judged: while the store is away, or after too many tries.
 * @example refusalPage: refusedLogin('../..')
 */
export const refusedLogin =
  (root: string) =>
  (refusal: Refusal, request: RefusedRequest): Promise<Answer> => {
    const { ReturnUrl: given } = request.query;
    const returnPath = safeReturnPath(typeof given === 'string' ? given : undefined);
    return refusedLoginPage({ language: pageLanguage(request), returnPath, root }, refusal);
  };
