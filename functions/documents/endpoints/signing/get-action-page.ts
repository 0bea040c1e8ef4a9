import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { frameAncestorsOf } from '../../../../shared/ui/frame-origins.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { waysOffered } from '../../../../shared/ways/offered.ts';
import { readCodeRequest } from '../../domain/links/link-code.ts';
import { embedOriginsOf } from '../../domain/places/embedding.ts';
import { codePage } from '../../pages/action/code-page.ts';
import { deadLinkPage, loadAction } from '../../pages/action/dead-link.ts';
import { actionPage } from '../../pages/action/page.ts';
import { documents } from '../../service.ts';
import { settings } from '../../settings.ts';

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
    const isEmbedded = path.endsWith('/embed');
    const found = await loadAction(key, ticket, Date.now());
    if (found === 'needs-code') {
      const shown = await readCodeRequest(key, ticket, Date.now());
      const notice = query.code === 'sent' ? ({ kind: 'sent' } as const) : undefined;
      return codePage({ ...shown, ticket, language, isEmbedded, notice });
    }
    const embedOrigins = typeof found === 'string' ? embedOriginsOf(undefined) : found.embedOrigins;
    const frame = isEmbedded && { frameAncestors: frameAncestorsOf(embedOrigins) };
    return typeof found === 'string'
      ? deadLinkPage(found, { language, isEmbedded, ...frame })
      : actionPage(
          {
            details: found.details,
            key,
            ticket,
            language,
            ways: waysOffered(settings),
            ...(isEmbedded && { embedOrigins }),
          },
          { isEmbedded, ...frame },
        );
  },
);
