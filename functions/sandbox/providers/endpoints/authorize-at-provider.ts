import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { ProviderParams } from '../contract.ts';
import { readRequest } from '../domain/authorization-request.ts';
import { reachProvider } from '../domain/provider.ts';
import { authorizePage } from '../pages/authorize-page.ts';
import { redirectToClient, untrustedPage } from '../pages/authorize-refusals.ts';
import { provider } from '../service.ts';

export const handler = pageEndpoint(provider, ANYBODY)(
  {
    route: 'GET /providers/{provider}/v0/oauth/authorize',
    summary: 'The page on which a holder allows the use of a certificate',
    params: ProviderParams,
    answers: { 200: PAGE, 302: REDIRECT, 400: PAGE },
    refuses: ['temporarily_unavailable'],
    undocumented: false,
  },
  async ({ params, query }, { language }) => {
    const read = readRequest(await reachProvider(params.provider), query);
    if (read.outcome === 'untrusted') return untrustedPage(read.about, query, language);
    if (read.outcome === 'refused') return redirectToClient(read.location);
    return authorizePage(read.request, query, language);
  },
);
