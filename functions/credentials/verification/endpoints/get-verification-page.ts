import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { isVerificationCode } from '../../items/domain/verification-code.ts';
import { credentials } from '../../service.ts';
import { readCode } from '../domain/find-credential.ts';
import { lookupPage, unknownPage } from '../pages/lookup-page.ts';

/** Looks nothing up: its form leads to the page of the code, which is counted. */
export const handler = pageEndpoint(credentials, ANYBODY)(
  {
    route: 'GET /verify',
    summary: 'The page at which anyone types a verification code',
    answers: { 200: PAGE, 302: REDIRECT, 404: PAGE },
  },
  async ({ query }, { language }) => {
    const code = readCode(String(query.code ?? ''));
    if (code === '') return lookupPage(language);
    if (!isVerificationCode(code)) return unknownPage(language, '.', code);
    // Relative, so that a person stays at the host and below the stage by which they came.
    return redirect(`verify/${code}?lang=${language}`, { headers: { 'referrer-policy': 'no-referrer' } });
  },
);
