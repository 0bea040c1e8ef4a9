import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { showAction } from '../../pages/action/show-action.ts';
import { documents } from '../../service.ts';

/** The page alone at `action`, and for a frame of another site at `embed`. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'GET /document/key/{key}/action',
    aliases: ['GET /document/key/{key}/embed'],
    summary: 'The page at which a person signs, approves or refuses',
    answers: { 200: PAGE, 404: PAGE, 410: PAGE },
  },
  async ({ params: { key = '' }, query, path }, { language }) => {
    const ticket = String(query.ticket ?? '');
    const visit = { key, ticket, language, isEmbedded: path.endsWith('/embed') };
    return showAction({ ...visit, notice: query.code === 'sent' ? 'sent' : query.notice }, Date.now());
  },
);
