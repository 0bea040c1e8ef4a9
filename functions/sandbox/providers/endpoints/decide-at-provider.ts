import { formBody } from '../../../../shared/http/body/reader.ts';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { Decision, ProviderParams } from '../contract.ts';
import { readRequest } from '../domain/authorization-request.ts';
import { decide } from '../domain/codes.ts';
import { reachProvider } from '../domain/provider.ts';
import { redirectToClient, untrustedPage } from '../pages/authorize-refusals.ts';
import { provider } from '../service.ts';

/** Posted by the page, or by a script that has read none: the address holds all that is asked for. */
export const handler = pageEndpoint(provider, { ...ANYBODY, fromOtherSites: () => 'any' })(
  {
    route: 'POST /providers/{provider}/v0/oauth/authorize',
    summary: 'What the holder decided',
    params: ProviderParams,
    body: formBody(Decision),
    answers: { 302: REDIRECT, 400: PAGE },
    refuses: ['temporarily_unavailable'],
    undocumented: false,
  },
  async ({ params, query, body }, { language }) => {
    const read = readRequest(await reachProvider(params.provider), query);
    if (read.outcome === 'untrusted') return untrustedPage(read.about, query, language);
    if (read.outcome === 'refused') return redirectToClient(read.location);
    return redirectToClient(await decide(read.request, body.decision, Date.now()));
  },
);
