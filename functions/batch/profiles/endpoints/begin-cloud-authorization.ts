import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { pageLanguage } from '../../auth/http/page-language.ts';
import { sessionIn } from '../../auth/http/session-cookie.ts';
import { errors } from '../../errors.ts';
import { batch } from '../../service.ts';
import { ProfileParams } from '../contract.ts';
import { beginAuthorization } from '../domain/cloud/begin-authorization.ts';
import { cloudAuthorizationPage, profilePath } from '../pages/cloud-authorization-page.ts';

// To answer where the hub does not.
const RESERVE_MS = 5_000;

/** A plain form of the profile's page. Its answer leads to the provider of the cloud certificate. */
export const handler = batch.endpoint(
  {
    route: 'POST /profiles/{name}/cloud-authorization',
    summary: 'Begin to authorize the cloud certificate of a profile',
    params: ProfileParams,
    answers: { 200: PAGE, 303: REDIRECT },
    refuses: ['profile.not-found', 'auth.misconfigured'],
    rate: 'Actions',
    undocumented: true,
  },
  async (input) => {
    const profileName = input.params.name.toLowerCase();
    const operatorCookie = sessionIn(input.cookies);
    // It is bound to the session of a browser, which comes back. A key has none.
    if (operatorCookie === undefined) throw errors.refuse('auth.invalid-credentials');
    const deadline = { atMs: input.deadlineAtMs - RESERVE_MS, now: Date.now };
    const begun = await beginAuthorization({ profileName, operatorCookie }, deadline);
    if (begun.outcome !== 'begun') return redirect(profilePath(profileName, begun.outcome), { status: 303 });
    return cloudAuthorizationPage({
      language: pageLanguage(input),
      profileName,
      providers: begun.providers,
    });
  },
);
