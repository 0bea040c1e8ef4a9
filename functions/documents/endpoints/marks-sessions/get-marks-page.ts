import { Refusal } from '../../../../shared/errors/errors.ts';
import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { openMarksPage } from '../../domain/marks-sessions/marks-session.ts';
import { embedOriginsOf } from '../../domain/places/embedding.ts';
import { deadMarksPage, marksPage } from '../../pages/marks/page.ts';
import { documents } from '../../service.ts';

export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'GET /api/marks-sessions/{id}/embed',
    summary: 'The page at which a person places marks',
    answers: { 200: PAGE, 410: PAGE },
  },
  async ({ params: { id = '' }, query }, { language }) => {
    const ticket = String(query.ticket ?? '');
    const opened = await openMarksPage(id, ticket, Date.now()).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    if (!opened) return deadMarksPage(language, embedOriginsOf(undefined));
    const { session, organization } = opened;
    return marksPage({ session, ticket, language, embedOrigins: embedOriginsOf(organization) });
  },
);
